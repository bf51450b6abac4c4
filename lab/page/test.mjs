// Tests the pacing lab's page in a real browser. `cargo xtask test` runs it; to run it on its own:
//
//   cargo xtask web --build-only && cargo build -p evenstep-cli -p lab-page --example digest --bins
//   EVENSTEP=target/debug/evenstep DIGEST=target/debug/examples/digest node lab/page/test.mjs \
//     --server target/web-tool/debug/web-builder --site target/web
//
// EVENSTEP is the command, and DIGEST the native program that prints a digest of every preset.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { PHONE, PHONE_TURNED, live, open, run, shoot, until } from "../../tools/browser/harness.mjs";

const SEED = 7;
const FRAMES = 1500;
/** A window of its own, whose downloads can be read. */
const DESKTOP = { viewport: { width: 1280, height: 800 } };

/** The native program's output: a line for each preset and lane. */
const native = execFileSync(process.env.DIGEST, [SEED, FRAMES].map(String), { encoding: "utf8" });
const nativeRows = native.trim().split("\n").map((line) => line.split(" | "));
const presets = [...new Set(nativeRows.map(([preset]) => preset))];

async function lab(options, query = "") {
  const page = await open(`/lab.html${query}`, options);
  await until(page, "globalThis.pacingLab?.frames() > 0");
  return page;
}
const frames = (page) => page.evaluate("pacingLab.frames()");
const number = (page, lane, name) => page.textContent(`#lane-${lane} [data-number=${name}]`);
const micros = async (page, lane) => parseFloat(await number(page, lane, "judder"));
const title = (page) => page.textContent("#display");
const choose = (page, preset) => page.click(`#presets button:text-is("${preset}")`);
const fact = (page, name) =>
  page.evaluate((name) => [...document.querySelectorAll("#facts dt")].find((it) => it.textContent === name)?.nextSibling.textContent, name);

/** Timestamps of a display at 59.94 Hz that misses a refresh now and then, as a browser rounds them. */
const recorded = `Float64Array.from({ length: 650 }, (_, n) =>
  Math.round((5000 + (n + Math.floor(n / 97)) * 1000 / 59.94 + ((n * 7919) % 13) * 0.05) * 10) / 10)`;

const tests = {
  async "the page runs in real time and sends requests only to its own host"() {
    const page = await lab();
    const asked = await page.evaluate("performance.getEntriesByType('resource').map((entry) => new URL(entry.name).origin)");
    assert.deepEqual([...new Set(asked)], [await page.evaluate("location.origin")]);
    const look = () => page.evaluate("[pacingLab.frames(), performance.now()]");
    const [framesBefore, msBefore] = await look();
    await until(page, `pacingLab.frames() > ${framesBefore + 60}`);
    const [framesAfter, msAfter] = await look();
    const hz = ((framesAfter - framesBefore) * 1_000) / (msAfter - msBefore);
    assert.ok(hz > 45 && hz < 75, `60 Hz, shown at ${hz}`);
    console.log(`     all lanes are drawn in ${(await page.evaluate("pacingLab.drawMs()")).toFixed(2)} ms`);
    await shoot(page, "lab-desktop");
  },

  async "every preset has the native digest and shows the native numbers"() {
    const page = await lab();
    assert.equal(await page.evaluate(`lab.digest(${SEED}, ${FRAMES})`), native);
    for (const preset of presets) {
      await choose(page, preset);
      const before = await frames(page);
      await until(page, `pacingLab.frames() > ${before} + 3`);
      await page.evaluate(`pacingLab.showFrames(${SEED}, ${FRAMES})`);
      for (const [, lane, ...numbers] of nativeRows.filter(([name]) => name === preset)) {
        const shown = await Promise.all(["judder", "cadence", "drift", "lag"].map((name) => number(page, lane, name)));
        assert.deepEqual(shown, numbers.slice(0, 4), `${preset}, ${lane}`);
      }
      await shoot(page, `lab-${preset.replaceAll(/[^a-z0-9.]+/gi, "-")}`);
    }
  },

  async "on noisy timestamps our judder is far below a plain loop's"() {
    const page = await lab();
    await choose(page, presets[0]);
    await until(page, "pacingLab.frames() > 400");
    const [plain, ours] = [await micros(page, "plain"), await micros(page, "evenstep")];
    assert.ok(plain > 100 && ours < plain / 50, `${ours} and ${plain} us`);
  },

  async "controls change the display"() {
    const page = await lab();
    const says = async (words) => assert.ok((await title(page)).startsWith(words), `${await title(page)}, and not ${words}`);
    await page.selectOption("#hz-choice", "144");
    await says("144 Hz, Gaussian noise of 0.5 ms;");
    await page.selectOption("#hz-choice", "other");
    await page.fill("#hz-other", "87.5");
    await says("87.5 Hz, Gaussian noise of 0.5 ms;");
    await page.selectOption("#trouble", "clock");
    await says("87.5 Hz, a clock of 1 ms;");
    assert.ok(await page.isDisabled("#trouble-ms"), "a control without effect is off");
    await page.selectOption("#mode", "every-other");
    await says("87.5 Hz, 1,2 refreshes a frame, a clock of 1 ms;");
    await page.selectOption("#mode", "breathing");
    await page.selectOption("#stalls", "5");
    await page.focus("#missed");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await says("87.5 Hz, variable refresh that breathes by 2 ms, 2 % of refreshes missed, a stall every 5 s, a clock of 1 ms;");
    assert.equal(await page.textContent("#missed-value"), "2 %");
    await page.focus("#hz-other");
    await page.keyboard.press("Enter");
    await says("87.5 Hz");
  },

  async "a plain loop and Evenstep come first, each number with its meaning, and the others behind a switch"() {
    const page = await lab({ device: DESKTOP });
    await until(page, "pacingLab.frames() > 400");
    await shoot(page, "lab");
    const visible = () => page.$$eval(".lane", (lanes) => lanes.filter((it) => it.checkVisibility()).map((it) => it.id));
    assert.deepEqual(await visible(), ["lane-plain", "lane-evenstep"]);
    for (const lane of ["plain", "evenstep"]) {
      const meanings = await page.$$eval(`#lane-${lane} dl > div`, (all) =>
        all.map((it) => [it.querySelector("dt").textContent, it.querySelector(".what").checkVisibility() && it.querySelector(".what").textContent.length > 20]));
      assert.deepEqual(meanings, [["judder", true], ["cadence", true], ["drift", true], ["lag", true]]);
    }
    await page.check("#others");
    assert.deepEqual(await visible(), ["plain", "evenstep", "starship", "fixed-time-step", "game-loop", "evenstep-rate-lock"].map((name) => `lane-${name}`));
    await shoot(page, "lab-all");
  },

  async "a link shows the same session"() {
    const page = await lab();
    await page.selectOption("#hz-choice", "other");
    await page.fill("#hz-other", "87.5");
    await page.selectOption("#trouble", "uniform");
    await page.selectOption("#stalls", "5");
    await page.focus("#missed");
    await page.keyboard.press("ArrowRight");
    await page.selectOption("#speed", "0.25");
    await page.check("#others");
    await page.click("#again");
    const query = await page.evaluate("location.search");
    const other = await lab(undefined, query);
    assert.equal(await other.textContent("#settings-trouble"), "");
    const state = async (page) => {
      await page.evaluate("pacingLab.showFrames(2, 600)");
      return page.evaluate(`[...document.querySelectorAll("#controls input, #controls select")].map((it) => it.checked + it.value)
        .concat([...document.querySelectorAll("#display, [data-number]")].map((it) => it.textContent))`);
    };
    assert.match(query, /^\?hz=87\.5&.*&seed=2&/);
    assert.match(await title(other), /^87.5 Hz.*; seed 2;/);
    assert.deepEqual(await state(other), await state(page));
  },

  async "a value out of range is said, and changes nothing"() {
    const page = await lab(undefined, "?hz=5000&noise=0.3&seed=x");
    const trouble = () => page.textContent("#settings-trouble");
    assert.equal(
      await trouble(),
      "hz=5000 is out of range: the display rate is 10 to 1000 Hz. Using 60. " +
        "seed=x is not a whole number from 0 to 4294967295. Using 1.",
    );
    assert.match(await title(page), /^60 Hz, Gaussian noise of 0.3 ms; seed 1;/);
    await page.selectOption("#hz-choice", "144");
    assert.equal(await trouble(), "");
    await page.selectOption("#hz-choice", "other");
    const before = await page.evaluate("location.search");
    await page.fill("#hz-other", "5000");
    assert.equal(await trouble(), "5000 Hz is out of range. A display has 10 to 1000 Hz. The display stays at 100 Hz.");
    assert.equal(await page.getAttribute("#hz-other", "aria-invalid"), "true");
    assert.match(await title(page), /^100 Hz/);
    assert.equal(await page.evaluate("location.search"), before);
    await page.fill("#hz-other", "");
    assert.match(await trouble(), /^Enter a rate\. A display has 10 to 1000 Hz\./);
    await page.fill("#hz-other", "90");
    assert.equal(await trouble(), "");
    assert.equal(await page.getAttribute("#hz-other", "aria-invalid"), "false");
    assert.match(await title(page), /^90 Hz/);
  },

  async "pause holds the session, and another seed is another session"() {
    const page = await lab();
    await page.click("#pause");
    const held = await frames(page);
    await live(page, 20);
    assert.equal(await frames(page), held);
    assert.ok((await title(page)).includes(`; ${held} frames,`), "the numbers are of that frame");
    await page.click("#pause");
    await until(page, `pacingLab.frames() > ${held}`);
    const seed = async () => / seed (\d+);/.exec(await title(page))[1];
    const before = await seed();
    await page.click("#again");
    assert.notEqual(await seed(), before);
  },

  async "users who prefer reduced motion start the session themselves"() {
    const page = await lab({ device: { ...DESKTOP, reducedMotion: "reduce" } });
    const held = await frames(page);
    await live(page, 20);
    assert.equal(await frames(page), held);
    await page.click("text=Resume");
    await until(page, `pacingLab.frames() > ${held}`);
  },

  async "the command prints the page's findings for a saved trace"() {
    const page = await lab({ device: DESKTOP });
    await page.evaluate(`pacingLab.measure(${recorded})`);
    const hz = await page.evaluate("pacingLab.refreshHz()");
    assert.ok(Math.abs(hz - 59.94) < 0.01, `${hz} Hz`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    assert.equal(download.suggestedFilename(), "display.trace.jsonl");
    const report = execFileSync(process.env.EVENSTEP, ["import", await download.path()], { encoding: "utf8" });
    for (const name of ["frames", "refresh", "noise", "late", "missed", "stalls", "clock"]) {
      const line = `${name.padEnd(9)} ${await fact(page, name)}\n`;
      assert.ok(report.includes(line), `${line} is not in\n${report}`);
    }
    assert.match(await page.textContent("#verdict"),
      /^A 59\.94 Hz display; 6 refreshes were missed; .*\. In the last 7 s, a plain loop would have stuttered \d+ times?, Evenstep 0 times\.$/);
    assert.ok(report.includes(`${await page.textContent("#verdict")}\n`), report);
    await until(page, "document.querySelector('#picture').naturalWidth === 960");
    assert.equal(await page.locator("#rows tr").count(), 2);
    await page.check("#others");
    const rows = await page.$$eval("#rows tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.equal(rows.length, 6);
    const lines = report.split("\n").map((line) => line.split(/\s+/).join());
    for (const row of rows) assert.ok(lines.includes(row.join()), `${row} is not in\n${report}`);
    await page.locator("#measure").scrollIntoViewIfNeeded();
    await shoot(page, "lab-measured");
  },

  async "too few frames are an error and leave nothing to save"() {
    const page = await lab();
    await page.evaluate("pacingLab.measure(Float64Array.of(0, 2000, 4000, 20000))");
    assert.match(await page.textContent("#record-trouble"), /^Only 4 frames arrived/);
    assert.equal(await page.isDisabled("#save"), true);
    assert.equal(await page.isVisible("#findings"), false);
    assert.equal(await page.textContent("#verdict"), "");
  },

  async "a recording shows its progress and can be cancelled"() {
    const page = await lab();
    await page.click("#record");
    await until(page, "document.querySelector('#progress').value > 0.02");
    const held = await frames(page);
    await page.click("#cancel");
    assert.equal(await page.isVisible("#recording"), false);
    assert.equal(await page.isEnabled("#record"), true);
    await until(page, `pacingLab.frames() > ${held}`);
  },

  async "this browser's display is measured, and a tab that was hidden is reported"() {
    const page = await lab();
    await page.click("#record");
    await until(page, "document.querySelector('#progress').value > 0.02");
    const other = await open("/lab.html");
    await until(page, "document.hidden");
    await other.close();
    await page.bringToFront();
    await until(page, "document.querySelector('#record-trouble').textContent.includes('hidden')");
    await page.waitForSelector("#findings", { state: "visible" });
    const [hz, refresh] = [await page.evaluate("pacingLab.refreshHz()"), await fact(page, "refresh")];
    console.log(`     ${refresh}`);
    assert.ok(hz === undefined ? refresh.startsWith("no single fixed one") : hz > 20 && hz < 500, refresh);
    assert.match(await fact(page, "hidden"), /hidden/);
  },

  async "a phone needs no sideways scrolling and shows the first lane immediately"() {
    const page = await lab({ device: PHONE });
    await page.evaluate(`pacingLab.measure(${recorded})`);
    const width = await page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)");
    assert.ok(width <= 390, `${width}`);
    const first = await page.locator("#lane-plain canvas").boundingBox();
    assert.ok(first.y + first.height < 844, `${first.y}`);
    await page.tap(`#presets button:text-is("VRR")`);
    await until(page, `document.querySelector("#display").textContent.startsWith("100 Hz, variable")`);
    await shoot(page, "lab-phone");
    const isSharp = "(({ width, clientWidth }) => width === Math.round(clientWidth * devicePixelRatio))(document.querySelector('canvas'))";
    await until(page, isSharp);
    const upright = await page.evaluate("document.querySelector('canvas').clientWidth");
    await page.setViewportSize(PHONE_TURNED.viewport);
    await until(page, `document.querySelector("canvas").clientWidth !== ${upright} && ${isSharp}`);
    await shoot(page, "lab-phone-turned");
  },
};

await run(tests);
