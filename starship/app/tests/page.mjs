// Tests the game's page in a real browser. `cargo xtask test` runs it; to run it on its own:
//
//   cargo xtask web --build-only && cargo build -p starship --bin starship --example replay && cargo build -p evenstep-cli
//   REPLAY=target/debug/examples/replay STARSHIP=target/debug/starship EVENSTEP=target/debug/evenstep node starship/app/tests/page.mjs \
//     --server target/web-tool/debug/web-builder --site target/web
//
// REPLAY is a native program that replays the timestamps injected here; STARSHIP and EVENSTEP verify recordings.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GAMEPAD, PHONE, PHONE_TURNED, live, open as openPage, run, shoot, until } from "../../../tools/browser/harness.mjs";

async function open(query = "", options) {
  const page = await openPage(`/?${query}`, options);
  await until(page, "globalThis.starship?.tick() > 5");
  return page;
}
const mode = (page) => page.evaluate("starship.mode()");
const tick = (page) => page.evaluate("starship.tick()");
const ship = (page) => page.evaluate("[...starship.ship()]");
const tap = (page, code) => page.keyboard.press(code);

/** Opens the game in a window of its own, whose downloads can be read. */
const openForDownloads = (query) => open(query, { device: { viewport: { width: 1280, height: 720 } } });

/** Does something that saves a recording. Returns the file, and what a native build says about it. */
async function download(page, act) {
  const [saved] = await Promise.all([page.waitForEvent("download"), act()]);
  assert.equal(saved.suggestedFilename(), "starship.replay");
  const bytes = readFileSync(await saved.path());
  const folder = mkdtempSync(join(tmpdir(), "starship-"));
  const file = join(folder, "saved.replay");
  writeFileSync(file, bytes);
  const say = (program, ...words) => execFileSync(program, ["replay", ...words, file], { encoding: "utf8" });
  const [verdict, info] = [say(process.env.STARSHIP, "verify"), say(process.env.EVENSTEP, "info")];
  rmSync(folder, { recursive: true });
  const ticks = Number(/^same: (\d+) ticks/.exec(verdict)?.[1]);
  return { bytes, verdict, info, ticks };
}

/** Desktop, and a phone held either way: with one pixel per point, because these tests look at places and not at pixels. */
const DEVICES = {
  desktop: undefined,
  "phone": { ...PHONE, deviceScaleFactor: 1 },
  "phone turned": { ...PHONE_TURNED, deviceScaleFactor: 1 },
};

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

  async "a phone has touch words and buttons for pause and overlay from the start"() {
    const desktop = await open("seed=5");
    assert.match(await desktop.evaluate("starship.help()"), /ARROWS", "FLY"/);
    const page = await open("seed=5", { device: PHONE });
    assert.match(await page.evaluate("starship.help()"), /"DRAG", "FLY".*"SECOND FINGER", "BOOST"/);
    await page.touchscreen.tap(200, 700);
    await until(page, `starship.mode() === "playing" && starship.tick() > 5`);
    await until(page, `document.getElementById("game").clientHeight === innerHeight`);
    const { width, height } = page.viewportSize();
    await page.touchscreen.tap(width - 90, height - 30);
    await until(page, "starship.isOverlayShown()");
    assert.equal(await mode(page), "playing", "the overlay's button does not pause");
    await shoot(page, "web-phone-overlay");
    await page.touchscreen.tap(width - 30, height - 30);
    await until(page, `starship.mode() === "paused" && starship.menu() === "Pause"`);
    const held = await tick(page);
    await live(page, 20);
    assert.equal(await tick(page), held);
    await shoot(page, "web-phone-pause");
  },

  async "settings are changed with keys and are there after a reload"() {
    const page = await open("seed=5");
    assert.match(await page.evaluate("starship.settings()"), /flash: Gentle, shake: 100/, "gentle by default");
    // Launch, daily challenge, difficulty, settings.
    for (let n = 0; n < 3; n++) await tap(page, "ArrowDown");
    await tap(page, "Enter");
    await until(page, `starship.menu() === "Settings"`);
    await tap(page, "ArrowLeft");
    await tap(page, "ArrowDown");
    await tap(page, "ArrowLeft");
    await until(page, `starship.settings().includes("flash: Off, shake: 50")`);
    await shoot(page, "web-settings");
    await page.reload();
    await until(page, "globalThis.starship?.tick() > 5");
    assert.match(await page.evaluate("starship.settings()"), /flash: Off, shake: 50/);
    await page.evaluate("localStorage.clear()");
  },

  async "Escape on the title ends nothing, because a page cannot start again"() {
    const page = await open("seed=5");
    // Once out of the settings, and once more.
    for (let n = 0; n < 3; n++) await tap(page, "ArrowDown");
    await tap(page, "Enter");
    await until(page, `starship.menu() === "Settings"`);
    for (let n = 0; n < 3; n++) await tap(page, "Escape");
    await until(page, `starship.menu() === "Title"`);
    await until(page, `starship.tick() > ${(await tick(page)) + 20}`);
    await tap(page, "ArrowUp");
    await tap(page, "ArrowUp");
    await tap(page, "ArrowUp");
    await tap(page, "Enter");
    await until(page, `starship.mode() === "playing"`);
  },

  async "a page that is left in a run has kept its score"() {
    const page = await open("seed=5");
    await page.evaluate("localStorage.clear()");
    await tap(page, "Enter");
    await until(page, `starship.mode() === "playing"`);
    // By then the ship's weapons have shot something.
    await until(page, `starship.mode() === "choosing"`);
    assert.equal(await page.evaluate(`localStorage.getItem("starship.best.normal")`), null, "not while it is played");
    await page.goto(page.url().replace(/\?.*/, "lab.html"));
    assert.match(await page.evaluate(`localStorage.getItem("starship.best.normal")`), /^[1-9]\d* 1 5$/);
    await page.evaluate("localStorage.clear()");
  },

  async "less motion is honoured"() {
    const page = await openPage("/lab.html");
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(page.url().replace("lab.html", "?seed=5"));
    await until(page, "globalThis.starship?.tick() > 5");
    assert.match(await page.evaluate("starship.settings()"), /flash: Off, shake: 0,/);
  },

  async "F11 enters and leaves full screen"() {
    const page = await open("seed=5");
    const full = `document.fullscreenElement === document.getElementById("game")`;
    await tap(page, "F11");
    await until(page, full);
    await tap(page, "F11");
    await until(page, "document.fullscreenElement === null");
    await page.keyboard.down("Alt");
    await tap(page, "Enter");
    await page.keyboard.up("Alt");
    await until(page, full);
    assert.equal(await mode(page), "title", "Alt and Enter start nothing");
  },

  async "sound starts with a key, rests while hidden and can be muted"() {
    const page = await open("autopilot&seed=5");
    assert.equal(await page.evaluate("starship.soundState()"), "closed", "no sound before the player does something");
    await tap(page, "KeyL");
    await until(page, `starship.soundState() === "running"`);
    const started = await page.evaluate("starship.soundsStarted()");
    await until(page, `starship.soundsStarted() > ${started + 5}`);
    await openPage("/?seed=6");
    await until(page, `document.hidden && starship.soundState() === "suspended"`);
    await page.bringToFront();
    await until(page, `starship.soundState() === "running"`);
    await tap(page, "KeyM");
    await until(page, `starship.settings().includes("is_muted: true")`);
    const muted = await page.evaluate("[starship.soundsStarted(), starship.tick()]");
    await until(page, `starship.tick() > ${muted[1] + 60}`);
    assert.equal(await page.evaluate("starship.soundsStarted()"), muted[0]);
    await page.evaluate("localStorage.clear()");
  },

  async "every tap on a grid over the canvas reaches it"() {
    for (const [name, device] of Object.entries(DEVICES)) {
      const page = await open("seed=5", { device });
      await page.evaluate(`{
        // Otherwise a tap could choose an entry of a menu, and change the page.
        starship.stop();
        globalThis.reached = [];
        document.getElementById("game").addEventListener("pointerdown", ({ x, y }) => reached.push([x, y].map(Math.round).join()));
      }`);
      const { x, y, width, height } = await page.locator("#game").boundingBox();
      const taps = [];
      for (let n = 0; n < 81; n++) {
        const [left, top] = [x + ((n % 9) + 0.5) / 9 * width, y + (Math.floor(n / 9) + 0.5) / 9 * height].map(Math.round);
        await (device ? page.touchscreen.tap(left, top) : page.mouse.click(left, top));
        taps.push([left, top].join());
      }
      assert.deepEqual(await page.evaluate("reached"), taps, name);
    }
  },

  async "a tap beside the menu starts the game, and the links cover nothing and are gone while it is played"() {
    for (const [name, device] of Object.entries(DEVICES)) {
      const page = await open("seed=5", { device });
      const [canvas, links] = [await page.locator("#game").boundingBox(), await page.locator("#links").boundingBox()];
      assert.ok(canvas.y + canvas.height <= links.y, `${name}: the canvas ends at ${canvas.height}, the links begin at ${links.y}`);
      await shoot(page, `web-title-${name.replace(" ", "-")}`);
      const [x, y] = [canvas.width / 2, canvas.height - 10];
      await (device ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
      await until(page, `starship.mode() === "playing" && document.getElementById("links").hidden`);
      await until(page, `document.getElementById("game").clientHeight === innerHeight`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), false, "nothing to scroll to");
      await shoot(page, `web-play-${name.replace(" ", "-")}`);
    }
  },

  async "Tab leaves the game, a link is followed by keyboard, and the browser keeps its keys"() {
    const page = await open("seed=5");
    const focus = () => page.evaluate(`document.activeElement.id || document.activeElement.textContent`);
    for (const stop of ["game", "Pacing lab", "Guide"]) {
      await tap(page, "Tab");
      assert.equal(await focus(), stop);
    }
    const left = await page.evaluate(`["Tab", "Backspace", "Slash", "Quote", "F3", "F5", "F12"].filter((code) => {
      const event = new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true });
      return document.getElementById("game").dispatchEvent(event);
    })`);
    assert.equal(left.length, 7, `the game takes keys that it does not use; it left ${left}`);
    const shortcuts = await page.evaluate(`["KeyR", "KeyL", "KeyP", "ArrowLeft", "Space"].filter((code) => {
      const event = new KeyboardEvent("keydown", { code, ctrlKey: true, bubbles: true, cancelable: true });
      return document.getElementById("game").dispatchEvent(event);
    })`);
    assert.equal(shortcuts.length, 5, `the game takes shortcuts; it left ${shortcuts}`);
    const taken = await page.evaluate(`["ArrowLeft", "Space", "F1"].filter((code) => {
      const event = new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true });
      return !document.getElementById("links").dispatchEvent(event);
    })`);
    assert.equal(taken.length, 3, `the game takes its own keys, but only ${taken}`);
    const other = await open("seed=5");
    for (const _ of ["game", "lab"]) await tap(other, "Tab");
    await tap(other, "Enter");
    await until(other, "globalThis.pacingLab?.frames() > 0");
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

  async "every run has a new seed, a link repeats one, and a bad one is named"() {
    const seed = async (query) => (await open(query)).evaluate("starship.seed()");
    assert.equal(await seed("seed=5"), "5");
    assert.match(await seed("daily"), /^20\d{6}$/);
    const random = [];
    for (let n = 0; n < 4; n++) random.push(await seed(""));
    assert.ok(new Set(random).size > 1, `${random} differ`);
    const wrong = await openPage("/?seed=abc");
    await until(wrong, `document.getElementById("trouble").textContent.includes('whole number from 0 to 18446744073709551615, not "abc"')`);
    assert.match(wrong.problems.splice(0).join(), /whole number/, "and nothing else is wrong");
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

  async "the golden hashes are reached, with and without vector instructions"() {
    const golden = readFileSync(new URL("../../sim/tests/golden/hashes.txt", import.meta.url), "utf8");
    for (const query of ["", "scalar"]) {
      const page = await open(query);
      assert.equal(await page.evaluate("game.hashes(7, Uint32Array.of(1, 60, 600, 3000, 36000))"), golden, query);
    }
  },

  async "a recording made here verifies natively, and the other way round, over a run that reaches the boss"() {
    const folder = mkdtempSync(join(tmpdir(), "starship-"));
    const file = (name) => join(folder, name);
    const native = (...args) => execFileSync(process.env.STARSHIP, args, { encoding: "utf8" });
    native("--headless", "--seed", "7", "--ticks", "7200", "--record", file("native.replay"));
    const theirs = readFileSync(file("native.replay")).toString("base64");
    for (const query of ["", "scalar"]) {
      const page = await open(query);
      const ours = await page.evaluate(`(() => {
        let text = "";
        for (const byte of game.record(7, 7200)) text += String.fromCharCode(byte);
        return btoa(text);
      })()`);
      writeFileSync(file("page.replay"), Buffer.from(ours, "base64"));
      assert.match(native("replay", "verify", file("page.replay")), /^same: 7200 ticks/);
      const marks = execFileSync(process.env.EVENSTEP, ["replay", "info", file("page.replay")], { encoding: "utf8" });
      assert.match(marks, /marks .*boss \d/, "the run reaches the boss");
      const verdict = await page.evaluate(
        `game.verify(Uint8Array.from(atob(${JSON.stringify(theirs)}), (letter) => letter.charCodeAt(0)))`);
      assert.equal(verdict, "same: 7200 ticks");
    }
    rmSync(folder, { recursive: true });
  },

  async "F6 saves the last minute, and a recording that is dropped onto the page is watched"() {
    const page = await openForDownloads("autopilot&seed=5");
    await until(page, "starship.tick() > 100");
    const { bytes, verdict, ticks } = await download(page, () => tap(page, "F6"));
    assert.ok(ticks > 100, verdict);

    const drop = (data) => page.evaluate(`(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([Uint8Array.from(${JSON.stringify([...data])})], "dropped.replay"));
      dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, cancelable: true }));
    })()`);
    await drop(Buffer.from("this is no recording"));
    await until(page, `document.getElementById("trouble").textContent.includes("not a recording")`);
    // Words about it take no taps, and are gone after a while.
    const middle = `document.elementFromPoint(innerWidth / 2, innerHeight / 2).id`;
    assert.equal(await page.evaluate(middle), "game");
    await drop(bytes.subarray(0, bytes.length / 10));
    const going = await tick(page);
    await until(page, `starship.tick() > ${going} + 10`);
    assert.equal(await page.evaluate("starship.watchedTick()"), -1, "half a recording leaves the run alone");
    await drop(bytes);
    await until(page, "starship.watchedTick() > 20");
    await tap(page, "Space");
    await until(page, `starship.mode() === "paused"`);
    const held = await page.evaluate("starship.watchedTick()");
    await tap(page, "Comma");
    await until(page, `starship.watchedTick() === ${held - 1}`);
    await shoot(page, "web-watch");
    await tap(page, "Enter");
    await until(page, `starship.watchedTick() === -1 && starship.mode() === "playing"`);
  },

  async "a page that records everything saves it with F6, and once more when it ends"() {
    const page = await openForDownloads("record&sandbox&autopilot&seed=5");
    await until(page, "starship.tick() > 100");
    const first = await download(page, () => tap(page, "F6"));
    await until(page, `starship.tick() > ${await tick(page)} + 60`);
    const second = await download(page, () => tap(page, "F6"));
    for (const { info } of [first, second]) assert.match(info, /^ticks +0 to .* from the seed$/m);
    assert.ok(first.ticks > 100 && second.ticks >= first.ticks + 60, `${first.verdict} ${second.verdict}`);
    // Time that runs back ends the recording, which is saved then.
    const last = await download(page, () => page.keyboard.down("KeyR"));
    await page.keyboard.up("KeyR");
    assert.ok(last.ticks >= second.ticks, `${second.verdict} ${last.verdict}`);
    await live(page, 10);
    const ring = await download(page, () => tap(page, "F6"));
    assert.match(ring.info, /from a snapshot$/m, "the last minute is there as ever");

    // A page that is stopped saves as well.
    const stopped = await openForDownloads("record&autopilot&seed=5");
    await until(stopped, "starship.tick() > 30");
    const all = await download(stopped, () => stopped.evaluate("starship.stop()"));
    assert.ok(all.ticks > 30, all.verdict);
  },

  async "in a sandbox, holding R runs time back and the game goes on from there"() {
    const page = await open("sandbox&autopilot&seed=5");
    await until(page, "starship.tick() > 150");
    const from = await tick(page);
    await page.keyboard.down("KeyR");
    await until(page, `starship.tick() < ${from} - 50`);
    // Longer than the run: it stops at the start.
    await until(page, "starship.tick() === 1");
    await live(page, 10);
    assert.equal(await tick(page), 1);
    await page.keyboard.up("KeyR");
    await until(page, "starship.tick() > 30");
  },

  async "the page marks the time of its first frame"() {
    const page = await open("seed=5");
    const [{ startTime }] = await page.evaluate(`performance.getEntriesByName("first-frame").map((mark) => mark.toJSON())`);
    console.log(`     first frame ${startTime.toFixed(0)} ms after the page was asked for`);
  },
};

await run(tests);
