// A test runner for pages in a real Chromium, driven by Playwright.
//
//   node some-test.mjs --server PROGRAM --site FOLDER [--shots FOLDER] [--only WORDS]
//
// PROGRAM is our own static file server (tools/web-builder), so it is under test as well.
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
  "--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--window-size=1280,720",
  "--remote-debugging-port=0", "about:blank",
];
/** No graphics card at all. */
const NO_GPU = ["--disable-gpu"];
/**
 * WebGPU on a processor that plays a graphics card. Everything else has to run on the same one: with another, Chromium's
 * GPU process crashes when it shows the canvas.
 */
export const SOFTWARE_GPU = [
  "--enable-unsafe-webgpu", "--enable-features=Vulkan", "--use-webgpu-adapter=swiftshader", "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
];
/** What Chromium itself says on every page that asks for a graphics card where there is none. */
const NO_CARD = "No available adapters.";
/** A phone as an emulated device. */
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** The same, turned to landscape. */
export const PHONE_TURNED = { ...PHONE, viewport: { width: 844, height: 390 } };
/**
 * An init script that fakes a gamepad, available to the page as `pad`. Test machines have none. Only
 * `navigator.getGamepads` is faked; everything behind it is real.
 */
export const GAMEPAD = `
  globalThis.pad = { connected: true, buttons: Array.from({ length: 17 }, () => ({ pressed: false })), axes: [0, 0, 0, 0] };
  navigator.getGamepads = () => [pad, null];`;
/** How long to wait for a condition: enough for a machine under load. */
const PATIENCE_MS = 60_000;
/** A browser test gets up to three attempts; every failure is logged. */
const ATTEMPTS = 3;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let browser;
let origin;
const pages = [];

/**
 * Opens a path of the site in a new tab, in front of the others. Tabs in one window hide each other; a page with a
 * `device` gets its own window and always counts as visible.
 */
export async function open(path, { device, script } = {}) {
  const context = device ? await browser.newContext(device) : browser.contexts()[0];
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.problems = [];
  // What is thrown may be a text, which has no stack.
  page.on("pageerror", (error) => page.problems.push(error.stack || error.message));
  page.on("console", (message) => {
    const isProblem = ["error", "warning", "assert"].includes(message.type()) && message.text() !== NO_CARD;
    if (isProblem) page.problems.push(message.text());
  });
  if (script) await page.addInitScript(script);
  pages.push(page);
  page.devtools = await context.newCDPSession(page);
  await page.bringToFront();
  await page.goto(origin + path);
  return page;
}

/** Navigates a page to another path of the site. */
export async function visit(page, path) {
  await page.goto(origin + path);
}

/** Waits until an expression is true on a page. Polls from outside, because a hidden page has no frames and slow timers. */
export async function until(page, expression) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    // Evaluation fails while a page loads.
    if (await page.evaluate(expression).catch(() => false)) return;
  }
  throw new Error(`not within ${PATIENCE_MS / 1e3} s: ${expression}`);
}

/** Waits for a number of animation frames. A page has them only while it is visible. */
export async function live(page, frames) {
  await page.evaluate(`{
    globalThis.framesLeft = ${frames};
    requestAnimationFrame(function frame() {
      if (--framesLeft > 0) requestAnimationFrame(frame);
    });
  }`);
  await until(page, "framesLeft <= 0");
}

/**
 * Compares two screenshots, as PNG files, channel by channel. Returns the mean difference, the one that 99.9 % of all
 * channels do not exceed, and the number of different colours in the first, so that an empty picture cannot pass.
 */
export async function compare(page, one, other) {
  const [a, b] = [one, other].map((png) => png.toString("base64"));
  return page.evaluate(async ([a, b]) => {
    const decode = async (png) => {
      const blob = new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))], { type: "image/png" });
      const image = await createImageBitmap(blob);
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const first = await decode(a);
    const second = await decode(b);
    if (first.width !== second.width || first.height !== second.height) throw new Error("the sizes differ");
    const differences = first.data.map((channel, n) => Math.abs(channel - second.data[n])).filter((_, n) => n % 4 !== 3).sort();
    const colors = new Set(new Uint32Array(first.data.buffer)).size;
    const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
    return { mean, p999: differences[Math.floor(differences.length * 0.999)], colors };
  }, [a, b]);
}

/** Takes a screenshot of the page, if run with --shots. */
export async function shoot(page, name) {
  if (options.shots) await page.screenshot({ path: join(options.shots, `${name}.png`) });
}

/**
 * Runs the tests and exits. A test also fails if one of its pages logged an error or a warning. Failed tests are retried,
 * because a stalled machine can break timing; a real bug fails every time. `flags` tell Chromium about graphics cards.
 */
export async function run(tests, { flags = NO_GPU, attempts = ATTEMPTS } = {}) {
  const profile = await mkdtemp(join(tmpdir(), "chromium-"));
  if (options.shots) await mkdir(options.shots, { recursive: true });
  const server = await serve();
  const process_ = await launch(profile, flags);
  let failures = 0;
  const chosen = Object.entries(tests).filter(([name]) => name.includes(options.only ?? ""));
  for (const [name, test] of chosen) {
    for (let attempt = 1; !(await passes(name, test)); attempt++) {
      if (attempt === attempts) {
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
    for (const page of pages) assert.deepEqual(page.problems, [], "the console has no errors or warnings");
    console.log(`test ${name} ... ok (${((Date.now() - start) / 1e3).toFixed(1)} s)`);
    return true;
  } catch (error) {
    console.log(`test ${name} ... FAILED\n${error.stack}`, pages.flatMap((page) => page.problems));
    return false;
  } finally {
    await Promise.all(pages.splice(0).map((page) => page.close().catch(() => {})));
  }
}

/** Starts our static file server on a free port. It prints its address in the first line. */
async function serve() {
  const server = spawn(options.server, ["--serve", options.site, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(server.stdout);
  const [line] = await Promise.race([once(lines, "line"), once(server, "exit")]);
  origin = /^http:\/\/[0-9.:]+/.exec(String(line))?.[0];
  assert.ok(origin, `${options.server} must print its address, but printed: ${line}`);
  return server;
}

/**
 * Starts Chromium. In a browser launched by Playwright, pages always count as visible. To be able to hide them we start it
 * ourselves, and Playwright connects without changing its settings.
 */
async function launch(profile, flags) {
  const process_ = spawn(CHROMIUM, [`--user-data-dir=${profile}`, ...flags, ...FLAGS], { stdio: "ignore" });
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
