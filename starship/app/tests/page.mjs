// Tests the game's page in a real browser. `cargo xtask test` runs it; to run it on its own:
//
//   cargo xtask web --build-only && cargo build -p starship --example replay
//   REPLAY=target/debug/examples/replay node starship/app/tests/page.mjs \
//     --server target/web-tool/debug/web-builder --site target/web
//
// REPLAY is a native program that replays the timestamps injected here.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { GAMEPAD, PHONE, live, open as openPage, run, shoot, until } from "../../../tools/browser/harness.mjs";

async function open(query = "", options) {
  const page = await openPage(`/?${query}`, options);
  await until(page, "globalThis.starship?.tick() > 5");
  return page;
}
const mode = (page) => page.evaluate("starship.mode()");
const tick = (page) => page.evaluate("starship.tick()");
const ship = (page) => page.evaluate("[...starship.ship()]");
const tap = (page, code) => page.keyboard.press(code);

const tests = {
  async "the game starts, and keys move the ship"() {
    const page = await open("seed=5");
    assert.equal(await mode(page), "title");
    await shoot(page, "web-title");
    await tap(page, "Enter");
    await until(page, `starship.mode() === "playing" && starship.tick() > 10`);
    for (const [key, along, sign] of [["KeyD", 0, 1], ["ArrowLeft", 0, -1], ["KeyW", 1, 1], ["ArrowDown", 1, -1]]) {
      const from = (await ship(page))[along];
      await page.keyboard.down(key);
      await until(page, `(starship.ship()[${along}] - ${from}) * ${sign} > 2`);
      await page.keyboard.up(key);
    }
    await shoot(page, "web-play");
  },

  async "pause holds, a full stop runs one step, Escape resumes"() {
    const page = await open("autopilot&seed=5");
    await tap(page, "KeyP");
    await until(page, `starship.mode() === "paused"`);
    const held = await tick(page);
    await live(page, 20);
    assert.equal(await tick(page), held);
    for (const step of [1, 2, 3]) {
      await tap(page, "Period");
      await until(page, `starship.tick() === ${held + step}`);
    }
    await live(page, 10);
    assert.equal(await tick(page), held + 3);
    await shoot(page, "web-pause");
    await tap(page, "Escape");
    await until(page, `starship.tick() > ${held + 30}`);
  },

  async "the overlay shows and hides"() {
    const page = await open("autopilot&seed=5");
    const screenshot = () => page.screenshot({ clip: { x: 0, y: 360, width: 1280, height: 340 } });
    await tap(page, "KeyP");
    await until(page, `starship.mode() === "paused"`);
    const bare = await screenshot();
    await tap(page, "F1");
    await until(page, "starship.isOverlayShown()");
    await live(page, 3);
    assert.notDeepEqual(await screenshot(), bare, "the overlay is visible");
    await tap(page, "KeyP");
    await until(page, `starship.tick() > ${(await tick(page)) + 240}`);
    await shoot(page, "web-overlay");
    await tap(page, "F1");
    await until(page, "!starship.isOverlayShown()");
  },

  async "a hidden tab stops and resumes without a lag spike"() {
    const page = await open("autopilot&seed=5");
    await until(page, "starship.tick() > 30");
    const other = await openPage("/?seed=6");
    await until(page, "document.hidden");
    const [away, spikes] = await page.evaluate("[starship.tick(), starship.lagSpikes()]");
    await live(other, 90);
    assert.equal(await tick(page), away, "no ticks while hidden");
    await page.bringToFront();
    await until(page, `starship.tick() > ${away}`);
    assert.equal(await page.evaluate("starship.lagSpikes()"), spikes);
  },

  async "a finger starts and steers at the size of a phone"() {
    const page = await open("seed=5", { device: PHONE });
    await page.touchscreen.tap(200, 500);
    await until(page, `starship.mode() === "playing" && starship.tick() > 5`);
    const finger = (type, touchPoints) => page.devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
    const [, y] = await ship(page);
    await finger("touchStart", [{ x: 120, y: 600 }]);
    await finger("touchMove", [{ x: 120, y: 520 }]);
    await until(page, `starship.ship()[1] > ${y} + 2`);
    await shoot(page, "web-phone");
    await finger("touchEnd", []);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390, "nothing to scroll to");
  },

  async "a gamepad starts and steers"() {
    const page = await open("seed=5", { script: GAMEPAD });
    await page.evaluate("(pad.buttons[0].pressed = true)");
    await until(page, `starship.mode() === "playing" && starship.tick() > 5`);
    await page.evaluate("(pad.buttons[0].pressed = false)");
    const [x] = await ship(page);
    await page.evaluate("(pad.axes[0] = 1)");
    await until(page, `starship.ship()[0] > ${x} + 2`);
  },

  async "F2 saves a screenshot"() {
    const page = await open("autopilot&seed=5");
    const download = page.waitForEvent("download");
    await tap(page, "F2");
    assert.equal((await download).suggestedFilename(), "starship.png");
  },

  async "injected timestamps give the native decisions and hash, with and without vector instructions"() {
    const native = execFileSync(process.env.REPLAY, { encoding: "utf8" }).trim();
    assert.match(native, /^decisions [0-9a-f]{16} tick \d+ hash [0-9a-f]{16}$/);
    for (const [query, file] of [["", "starship_app_simd_bg.wasm"], ["scalar", "starship_app_bg.wasm"]]) {
      const page = await open(query);
      const files = await page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)");
      assert.ok(files.some((name) => name.endsWith(`/${file}`)), `${file} is among ${files}`);
      const text = await page.evaluate(
        `game.replay(7, Float64Array.from({ length: 3000 }, (_, n) => n * 1000 / 144 + (n * 7919 % 13) * 0.1 + (n > 2000 ? 900 : 0)))`,
      );
      assert.equal(text, native, file);
    }
  },

  async "the page marks the time of its first frame"() {
    const page = await open("seed=5");
    const [{ startTime }] = await page.evaluate(`performance.getEntriesByName("first-frame").map((mark) => mark.toJSON())`);
    console.log(`     first frame ${startTime.toFixed(0)} ms after the page was asked for`);
  },
};

await run(tests);
