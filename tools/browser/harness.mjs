// Pages in a real Chromium, through Playwright, and a runner whose tests are named after the law they check.
//
//   node some-test.mjs --server PROGRAM --site FOLDER [--shots FOLDER] [--only WORDS]
//
// PROGRAM is the product's own server of static files (web/), so it is under test as well.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { chromium as playwright } from "playwright-core";

const { values: options } = parseArgs({
  options: { server: { type: "string" }, site: { type: "string" }, shots: { type: "string" }, only: { type: "string" } },
});
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--window-size=1280,720",
  "--remote-debugging-port=0", "about:blank",
];
/** The size of a phone, in points. */
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/**
 * A gamepad, `pad` to the page, as a script to open it with. No machine that tests has one: the browser's answer is made
 * up, all behind it is real.
 */
export const GAMEPAD = `
  globalThis.pad = { connected: true, buttons: Array.from({ length: 17 }, () => ({ pressed: false })), axes: [0, 0, 0, 0] };
  navigator.getGamepads = () => [pad, null];`;
/** A machine under load is slow, and that is no failure. */
const PATIENCE_MS = 60_000;
const ATTEMPTS = 3;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let browser;
let origin;
const pages = [];

/**
 * A tab of its own, in front of the others, at a path of the site. Tabs of one window hide each other; a page with a
 * `device` has a window of its own and always counts as seen.
 */
export async function open(path, { device, script } = {}) {
  const context = device ? await browser.newContext(device) : browser.contexts()[0];
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(error.stack));
  page.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type())) page.complaints.push(message.text());
  });
  if (script) await page.addInitScript(script);
  pages.push(page);
  page.devtools = await context.newCDPSession(page);
  await page.bringToFront();
  await page.goto(origin + path);
  return page;
}

/** Leads a page to another path of the site. */
export async function visit(page, path) {
  await page.goto(origin + path);
}

/** Waits until an expression holds on a page. It is asked from outside: a hidden page has no frames and slow timers. */
export async function until(page, expression) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    // While a page loads there is nobody to answer.
    if (await page.evaluate(expression).catch(() => false)) return;
  }
  throw new Error(`not within ${PATIENCE_MS / 1e3} s: ${expression}`);
}

/** Waits until a page has drawn so many frames. Time passes, however slow the machine, as long as the page is seen. */
export async function live(page, frames) {
  await page.evaluate(`{
    globalThis.framesLeft = ${frames};
    requestAnimationFrame(function frame() {
      if (--framesLeft > 0) requestAnimationFrame(frame);
    });
  }`);
  await until(page, "framesLeft <= 0");
}

/** A picture of the page, when somebody asked for pictures. */
export async function shoot(page, name) {
  if (options.shots) await page.screenshot({ path: join(options.shots, `${name}.png`) });
}

/**
 * Runs every test; a page that one of them opened must have had nothing to complain about. The machine may stall where
 * the page must not, so a test that fails is asked again, and says so; a law that is broken fails every time.
 */
export async function run(tests) {
  const profile = await mkdtemp(join(tmpdir(), "chromium-"));
  if (options.shots) await mkdir(options.shots, { recursive: true });
  const server = await serve();
  const process_ = await launch(profile);
  let failures = 0;
  const chosen = Object.entries(tests).filter(([name]) => name.includes(options.only ?? ""));
  for (const [name, test] of chosen) {
    for (let attempt = 1; !(await passes(name, test)); attempt++) {
      if (attempt === ATTEMPTS) {
        failures += 1;
        break;
      }
    }
  }
  const ended = once(process_, "exit");
  await browser.close().catch(() => {});
  process_.kill();
  await ended;
  server.kill();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  console.log(failures ? `${failures} of ${chosen.length} failed` : `${chosen.length} passed`);
  process.exit(failures || chosen.length === 0 ? 1 : 0);
}

async function passes(name, test) {
  const start = Date.now();
  try {
    await test();
    for (const page of pages) assert.deepEqual(page.complaints, [], "the console is empty");
    console.log(`test ${name} ... ok (${((Date.now() - start) / 1e3).toFixed(1)} s)`);
    return true;
  } catch (error) {
    console.log(`test ${name} ... FAILED\n${error.stack}`, pages.flatMap((page) => page.complaints));
    return false;
  } finally {
    await Promise.all(pages.splice(0).map((page) => page.close().catch(() => {})));
  }
}

/** The product's server, on a port that is free. It says where in its first line. */
async function serve() {
  const server = spawn(options.server, ["--serve", options.site, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(server.stdout);
  const [line] = await Promise.race([once(lines, "line"), once(server, "exit")]);
  origin = /^http:\/\/[0-9.:]+/.exec(String(line))?.[0];
  assert.ok(origin, `${options.server} says where it listens, not: ${line}`);
  return server;
}

/**
 * Playwright launches a browser whose pages always count as seen. To hide one we start the browser ourselves, and
 * Playwright joins it as a guest that leaves its settings alone.
 */
async function launch(profile) {
  const process_ = spawn(CHROMIUM, [`--user-data-dir=${profile}`, ...FLAGS], { stdio: "ignore" });
  const failed = once(process_, "error").then(([error]) => {
    throw new Error(`Chromium is needed (Debian: chromium): ${error}`);
  });
  browser = await Promise.race([failed, connect(join(profile, "DevToolsActivePort"))]);
  return process_;
}

async function connect(portFile) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
    const port = parseInt(await readFile(portFile, "utf8").catch(() => ""));
    if (port) return playwright.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true, isLocal: true });
  }
  throw new Error("Chromium did not start");
}
