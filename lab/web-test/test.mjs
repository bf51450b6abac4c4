// The pacing lab's page in a real browser.
//
//   cargo xtask web --build-only
//   cargo build --release -p evenstep-cli
//   cargo run --release -p pacing-lab --example digest -- 7 1500 > target/lab-digest.txt
//   node lab/web-test/test.mjs target/web target/release/evenstep target/lab-digest.txt [folder for screenshots]
//
// It needs Chromium, node and playwright-core. The last file is what the native program makes of every preset.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { check, finish, open } from "./harness.mjs";

const [site, command, digestFile, shots] = process.argv.slice(2);
const SEED = 7;
const FRAMES = 1500;

/** What the native program says: a line for each preset and lane. */
const native = await readFile(digestFile, "utf8");
const nativeRows = native.trim().split("\n").map((line) => line.split(" | "));
const presets = [...new Set(nativeRows.map(([preset]) => preset))];

const browser = await open(site, { args: [] });

async function lab(options) {
  const page = await browser.page("/lab.html", options);
  await page.waitForFunction("globalThis.pacingLab?.frames() > 0");
  return page;
}
const frames = (page) => page.evaluate("pacingLab.frames()");
const number = (page, lane, name) => page.textContent(`#lane-${lane} [data-number=${name}]`);
const micros = async (page, lane) => parseFloat(await number(page, lane, "judder"));
const title = (page) => page.textContent("#display");
const shot = async (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });

async function loadsAndRuns() {
  const page = await lab();
  const errors = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("requestfailed", (request) => errors.push(request.url()));
  const asked = new Set();
  page.on("request", (request) => asked.add(new URL(request.url()).origin));
  await page.reload();
  await page.waitForFunction("globalThis.pacingLab?.frames() > 360");
  check("the page loads and runs without errors", errors.length === 0, errors.join("; "));
  check("it asks nobody but its own host", asked.size === 1, [...asked].join(", "));
  const before = await frames(page);
  await page.waitForTimeout(500);
  const shown = (await frames(page)) - before;
  check("60 Hz in real time shows about 30 frames in half a second", shown > 15 && shown < 45, shown);
  await page.waitForTimeout(500);
  const cost = await page.evaluate("pacingLab.drawMs()");
  check("drawing all lanes takes less than 4 ms", cost < 4, `${cost.toFixed(2)} ms`);
  await shot(page, "lab-desktop");
  return page;
}

async function presetsEqualNative(page) {
  const digest = await page.evaluate(`lab.digest(${SEED}, ${FRAMES})`);
  check("every preset comes to the native bits", digest === native, digest.length);
  for (const preset of presets) {
    await page.click(`#presets button:text-is("${preset}")`);
    const before = await frames(page);
    await page.waitForFunction(`pacingLab.frames() > ${before} + 3`);
    await page.evaluate(`pacingLab.showFrames(${SEED}, ${FRAMES})`);
    const different = [];
    for (const [, lane, ...numbers] of nativeRows.filter(([name]) => name === preset)) {
      const shown = await Promise.all(["judder", "cadence", "drift", "lag"].map((name) => number(page, lane, name)));
      if (shown.join() !== numbers.slice(0, 4).join()) different.push(`${lane}: ${shown} and not ${numbers}`);
    }
    check(`"${preset}" runs, and shows the native numbers`, different.length === 0, different.join("; "));
    await shot(page, `lab-${preset.replaceAll(/[^a-z0-9.]+/gi, "-")}`);
  }
  await page.click(`#presets button:text-is("${presets[0]}")`);
  await page.waitForTimeout(400);
  const [plain, ours] = [await micros(page, "plain"), await micros(page, "evenstep")];
  check("on noisy timestamps ours is far below a plain loop", ours < plain / 50, `${ours} and ${plain} us`);
}

async function controlsChangeTheDisplay(page) {
  const says = async (words) => check(`the controls describe: ${words}`, (await title(page)).startsWith(words), await title(page));
  await page.selectOption("#hz-choice", "144");
  await says("144 Hz, Gaussian noise of 0.5 ms;");
  await page.selectOption("#hz-choice", "other");
  await page.fill("#hz-other", "87.5");
  await says("87.5 Hz, Gaussian noise of 0.5 ms;");
  await page.selectOption("#trouble", "clock");
  await says("87.5 Hz, a clock of 1 ms;");
  check("a control without effect is off", await page.isDisabled("#trouble-ms"));
  await page.selectOption("#mode", "breathing");
  await page.selectOption("#stalls", "5");
  await page.focus("#missed");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await says("87.5 Hz, variable refresh that breathes by 2 ms, 2 % of refreshes missed, a stall every 5 s, a clock of 1 ms;");
  check("each slider shows its value", (await page.textContent("#missed-value")) === "2 %");
  await page.focus("#hz-other");
  await page.keyboard.press("Enter");
  check("Enter in a field does not leave the page", (await title(page)).startsWith("87.5 Hz"));

  await page.click("#pause");
  const held = await frames(page);
  await page.waitForTimeout(300);
  check("pause holds the show", (await frames(page)) === held);
  check("and shows the numbers of its frame", (await title(page)).includes(`; ${held} frames,`), await title(page));
  await page.click("#pause");
  await page.waitForFunction(`pacingLab.frames() > ${held}`);
  const seed = await title(page);
  await page.click("#again");
  check("another seed is another session", /seed 8;/.test(await title(page)), `${seed} -> ${await title(page)}`);
  check("the rate lock is hidden", !(await page.isVisible("#lane-evenstep-rate-lock")));
  await page.check("#rate-lock");
  check("and shown when asked for", await page.isVisible("#lane-evenstep-rate-lock"));
}

/** Timestamps of a display at 59.94 Hz that misses a refresh now and then, as a browser rounds them. */
const recorded = `Float64Array.from({ length: 650 }, (_, n) =>
  Math.round((5000 + (n + Math.floor(n / 97)) * 1000 / 59.94 + ((n * 7919) % 13) * 0.05) * 10) / 10)`;

const fact = (page, name) =>
  page.evaluate((name) => [...document.querySelectorAll("#facts dt")].find((it) => it.textContent === name)?.nextSibling.textContent, name);

async function lessMotionIsRespected() {
  const page = await lab();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await page.waitForFunction("globalThis.pacingLab?.frames() > 0");
  const held = await frames(page);
  await page.waitForTimeout(200);
  check("who asks for less motion starts it by hand", (await frames(page)) === held && held > 200, held);
  await page.click("text=Go on");
  await page.waitForFunction(`pacingLab.frames() > ${held}`);
}

async function measuresInjectedTimestamps(page) {
  await page.evaluate(`pacingLab.measure(${recorded})`);
  const hz = await page.evaluate("pacingLab.refreshHz()");
  check("the refresh behind injected timestamps is found", Math.abs(hz - 59.94) < 0.01, `${hz} Hz`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  check("the trace is saved under its name", download.suggestedFilename() === "display.trace.jsonl");
  const report = execFileSync(command, ["lab", "import", await download.path()], { encoding: "utf8" });
  for (const name of ["frames", "refresh", "noise", "late", "missed", "stalls", "clock"]) {
    const words = await fact(page, name);
    check(`the command says the same of its ${name}`, report.includes(`${name.padEnd(9)} ${words}\n`), words);
  }
  const rows = await page.$$eval("#rows tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  const missing = rows.filter((row) => !report.split("\n").some((line) => line.split(/\s+/).join() === row.join()));
  check("and of every loop", rows.length === 6 && missing.length === 0, missing.join("; "));
  await page.locator("#measure").scrollIntoViewIfNeeded();
  await shot(page, "lab-measured");
  await page.evaluate("pacingLab.measure(Float64Array.of(0, 2000, 4000, 20000))");
  const trouble = await page.textContent("#record-trouble");
  check("too few frames are said to be", trouble.startsWith("Only 4 frames came"), trouble);
  check("and leave nothing to save", (await page.isDisabled("#save")) && !(await page.isVisible("#findings")));
}

async function measuresThisBrowser(page) {
  await page.click("#record");
  await page.waitForTimeout(600);
  const progress = parseFloat(await page.getAttribute("#progress", "value"));
  check("a recording shows its progress", progress > 0.01 && progress < 0.3, progress);
  const held = await frames(page);
  await page.click("#cancel");
  check("it can be cancelled", !(await page.isVisible("#recording")) && (await page.isEnabled("#record")));
  await page.waitForFunction(`pacingLab.frames() > ${held}`);
  check("and the show goes on", true);
  await page.click("#record");
  await page.waitForTimeout(300);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    delete document.visibilityState;
  });
  check("a hidden tab is reported", (await page.textContent("#record-trouble")).includes("hidden"));
  await page.waitForSelector("#findings:visible", { timeout: 20_000 });
  const hz = await page.evaluate("pacingLab.refreshHz()");
  const refresh = await fact(page, "refresh");
  const isPlausible = hz === undefined ? refresh.startsWith("no single fixed one") : hz > 20 && hz < 500;
  check("this browser's refresh is plausible", isPlausible, refresh);
  check("the findings say that the tab was hidden", (await fact(page, "hidden"))?.includes("hidden"));
}

async function fitsAPhone() {
  const page = await lab({ viewport: { width: 390, height: 844 }, touch: true });
  await page.evaluate(`pacingLab.measure(${recorded})`);
  const width = await page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)");
  check("a phone has nothing to scroll sideways", width <= 390, width);
  const first = await page.locator("#lane-plain canvas").boundingBox();
  check("and sees the first lane at once", first.y + first.height < 844, first.y);
  await page.tap(`#presets button:text-is("VRR")`);
  await page.waitForFunction(`document.querySelector("#display").textContent.startsWith("100 Hz, variable")`);
  check("a tap takes a preset", true);
  const sharp = await page.evaluate("document.querySelector('canvas').width / document.querySelector('canvas').clientWidth");
  check("canvases are as sharp as the screen", Math.abs(sharp - (await page.evaluate("devicePixelRatio"))) < 0.01, sharp);
  await shot(page, "lab-phone");
  await page.setViewportSize({ width: 844, height: 390 });
  await page.waitForFunction("document.querySelector('canvas').width === Math.round(document.querySelector('canvas').clientWidth * devicePixelRatio)");
  check("and stay so when it is turned", true);
}

async function theGamesTwoBuildsAgree() {
  const hashes = [];
  for (const [path, file] of [["/", "starship_app_simd_bg.wasm"], ["/?scalar", "starship_app_bg.wasm"]]) {
    const page = await browser.page(path);
    await page.waitForFunction("globalThis.starship?.mode() === 'title'");
    const files = await page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)");
    check(`${path} runs ${file}`, files.some((name) => name.endsWith(`/${file}`)), files.length);
    hashes.push(await page.evaluate("game.replay(7, Float64Array.from({ length: 3000 }, (_, n) => n * 1000 / 60))"));
    await page.close();
  }
  check("the game comes to the same with and without vectors", hashes[0] === hashes[1], hashes.join(" and "));
}

async function gameAndLabLinkToEachOther() {
  const page = await browser.page("/lab.html");
  await page.click("text=Play the game");
  await page.waitForFunction("globalThis.starship?.mode() === 'title'");
  await page.click("text=pacing lab");
  await page.waitForFunction("globalThis.pacingLab?.frames() > 0");
  check("the game and the lab link to each other", true);
}

try {
  const page = await loadsAndRuns();
  await presetsEqualNative(page);
  await controlsChangeTheDisplay(page);
  await lessMotionIsRespected();
  await measuresInjectedTimestamps(page);
  await measuresThisBrowser(page);
  await fitsAPhone();
  await gameAndLabLinkToEachOther();
  await theGamesTwoBuildsAgree();
} catch (error) {
  check("nothing breaks off", false, error.stack);
}
await browser.close();
finish();
