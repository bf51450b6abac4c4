// The web host in a real browser. `cargo run` in this folder builds the page and calls: node test.mjs <folder of the page>
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Chromium, Tab, sleep } from "./chromium.mjs";

const [site] = process.argv.slice(2);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer(async (request, response) => {
  const name = basename(new URL(request.url, "http://page").pathname) || "index.html";
  try {
    const body = await readFile(join(site, name));
    response.writeHead(200, { "content-type": TYPES[name.slice(name.lastIndexOf("."))] ?? "text/plain" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await Chromium.launch();
const tabs = [];

/** Opens the page with these probes and waits until they tick. */
async function open(probes, script) {
  const tab = await Tab.open(browser, script);
  tabs.push(tab);
  await tab.toFront();
  await tab.goto(`${origin}/?${new URLSearchParams(probes)}`);
  await tab.waitFor("globalThis.isReady", "the page is ready");
  return tab;
}

const probe = (tab, n = 0) => tab.evaluate(`({ ...probes[${n}], events: [...probes[${n}].events], stop: undefined })`);
const ticking = (tab, n = 0) => tab.waitFor(`probes[${n}].ticks > 20`, "it ticks");
const heard = (state, event) => state.events.filter((text) => text.startsWith(event)).length;

/** Nothing happens while the tab is away, and nothing jumps when it is back. */
async function standsStill(tab, goAway, comeBack) {
  const start = await probe(tab);
  await goAway();
  await sleep(300);
  const away = await probe(tab);
  await sleep(1_500);
  const still = await probe(tab);
  assert.equal(still.ticks, away.ticks, "no ticks while away");
  assert.equal(still.draws, away.draws, "no images while away");
  await comeBack();
  await tab.waitFor(`probes[0].ticks > ${still.ticks + 30}`, "it goes on");
  const back = await probe(tab);
  assert.equal(back.spikes, 0, "no lag spike");
  assert.ok(back.stepsMost <= Math.max(3, start.stepsMost), `no burst of steps: ${back.stepsMost}`);
  assert.ok(back.wallMs - still.wallMs < 1_200, "the time away was no time");
  assert.equal(heard(back, "Hidden"), heard(start, "Hidden") + 1);
  assert.equal(heard(back, "Shown"), heard(start, "Shown") + 1);
  return back;
}

const tests = {
  async "the app starts and is drawn"() {
    const tab = await open({ game: "sized" });
    await ticking(tab);
    const { width, height, scale } = await probe(tab);
    assert.deepEqual([width, height, scale], [640, 360, 1]);
    const middle = `[...document.querySelector("canvas").getContext("2d").getImageData(320, 180, 1, 1).data]`;
    assert.deepEqual(await tab.evaluate(middle), [0xff, 0xb7, 0x03, 0xff]);
    await writeFile(join(site, "screenshot.png"), await tab.screenshot());
    return tab;
  },

  async "keys act while they are held, and a tap reaches one tick"() {
    const tab = await open({ game: "sized" });
    await ticking(tab);
    await tab.key("rawKeyDown", "ArrowRight");
    await tab.key("rawKeyDown", "ArrowRight", { autoRepeat: true });
    await tab.waitFor("probes[0].x > 60", "the ball moves");
    await tab.key("keyUp", "ArrowRight");
    await sleep(200);
    const { x } = await probe(tab);
    await sleep(200);
    assert.equal((await probe(tab)).x, x, "a key that is up moves nothing");
    for (let n = 0; n < 20; n++) {
      await tab.key("rawKeyDown", "Space");
      await tab.key("keyUp", "Space");
    }
    await tab.waitFor("probes[0].taps === 20", "20 taps");
    await sleep(200);
    const state = await probe(tab);
    assert.equal(state.taps, 20);
    assert.equal(heard(state, "KeyDown(ArrowRight)"), 1, "held is no repeat");
    return tab;
  },

  async "a lost focus releases the keys"() {
    const tab = await open({ game: "sized" });
    await ticking(tab);
    await tab.key("rawKeyDown", "ArrowRight");
    await tab.waitFor("probes[0].x > 20");
    await tab.evaluate(`dispatchEvent(new FocusEvent("blur"))`);
    const state = await probe(tab);
    assert.deepEqual(state.events.slice(-2), ["KeyUp(ArrowRight)", "FocusLost"]);
    return tab;
  },

  async "a hidden tab stands still and returns without a spike"() {
    const tab = await open({ game: "sized" });
    await ticking(tab);
    await tab.key("rawKeyDown", "ArrowRight");
    await tab.waitFor("probes[0].x > 20");
    let other;
    const hide = async () => (other = await Tab.open(browser));
    const state = await standsStill(tab, hide, () => tab.toFront());
    assert.equal(heard(state, "KeyUp(ArrowRight)"), 1, "hiding lets go of the keys");
    await other.close();
    return tab;
  },

  async "a frozen page stands still and returns without a spike"() {
    const tab = await open({ game: "sized,background:run" });
    await ticking(tab);
    const { windowId } = await tab.send("Browser.getWindowForTarget");
    await tab.send("Page.setWebLifecycleState", { state: "frozen" });
    await sleep(300);
    const frozen = await probe(tab);
    await sleep(1_500);
    const still = await probe(tab);
    assert.equal(still.ticks, frozen.ticks, "even an app that runs in the background");
    await tab.send("Page.setWebLifecycleState", { state: "active" });
    // The emulation hides the page as well; the window's own state shows it again.
    for (const windowState of ["minimized", "normal"]) {
      await tab.send("Browser.setWindowBounds", { windowId, bounds: { windowState } });
    }
    await tab.waitFor(`probes[0].ticks > ${still.ticks + 30}`, "it goes on");
    const back = await probe(tab);
    assert.equal(back.spikes, 0);
    assert.ok(back.stepsMost <= 4, `no burst of steps: ${back.stepsMost}`);
    return tab;
  },

  async "a page from the back/forward cache goes on without a spike"() {
    const tab = await open({ game: "sized" });
    await ticking(tab);
    await tab.evaluate(`addEventListener("pageshow", (event) => (globalThis.isFromCache = event.persisted))`);
    const before = await probe(tab);
    await tab.goto(`${origin}/index.html?`);
    await sleep(1_000);
    await tab.evaluate("history.back()");
    await tab.waitFor(`globalThis.probes?.[0]?.ticks > ${before.ticks + 30}`, "it goes on");
    assert.equal(await tab.evaluate("globalThis.isFromCache"), true, "the page comes from the cache");
    const back = await probe(tab);
    assert.equal(back.spikes, 0);
    assert.equal(heard(back, "Hidden"), 1);
    assert.equal(heard(back, "Shown"), 1);
    return tab;
  },

  async "an app may run in the background, unseen"() {
    const tab = await open({ game: "sized,background:run" });
    await ticking(tab);
    const other = await Tab.open(browser);
    await other.toFront();
    await tab.waitFor(`document.hidden`);
    await sleep(200);
    const [before, start] = [await probe(tab), Date.now()];
    await sleep(3_000);
    const [after, seconds] = [await probe(tab), (Date.now() - start) / 1e3];
    const rate = (after.ticks - before.ticks) / seconds;
    assert.ok(rate > 50 && rate < 70, `${rate} ticks a second`);
    assert.equal(after.draws, before.draws, "nothing is drawn");
    await tab.toFront();
    await tab.waitFor(`probes[0].draws > ${after.draws}`);
    assert.equal((await probe(tab)).spikes, 0);
    await other.close();
    return tab;
  },

  async "the canvas follows its size and the screen's sharpness"() {
    const tab = await open({ game: "sized" });
    await ticking(tab);
    await tab.evaluate(`Object.assign(document.querySelector("canvas").style, { width: "500px", height: "301px" })`);
    await tab.waitFor("probes[0].width === 500 && probes[0].height === 301", "the new size");
    await tab.send("Emulation.setDeviceMetricsOverride", { width: 900, height: 700, deviceScaleFactor: 2, mobile: false });
    await tab.waitFor("probes[0].scale === 2", "the new sharpness");
    const canvas = `(({ width, height }) => [width, height])(document.querySelector("canvas"))`;
    assert.deepEqual(await tab.evaluate(canvas), [1000, 602]);
    assert.ok(heard(await probe(tab), "Resized") >= 2);
    return tab;
  },

  async "a canvas without a style does not grow on a sharp screen"() {
    const tab = await Tab.open(browser);
    await tab.toFront();
    await tab.send("Emulation.setDeviceMetricsOverride", { width: 900, height: 700, deviceScaleFactor: 3, mobile: false });
    await tab.goto(`${origin}/?game=plain`);
    await ticking(tab);
    await sleep(300);
    const { width, height, scale } = await probe(tab);
    assert.deepEqual([width, height, scale], [300, 150, 3]);
    return tab;
  },

  async "fingers are pointers"() {
    const tab = await open({ game: "sized" });
    await ticking(tab);
    await tab.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    const touch = (type, touchPoints) => tab.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", [{ x: 100, y: 50, id: 1 }]);
    await touch("touchMove", [{ x: 140, y: 60, id: 1 }]);
    await touch("touchEnd", []);
    await sleep(100);
    const events = (await probe(tab)).events.filter((text) => text.startsWith("Pointer"));
    assert.match(events[0], /^PointerDown\(Pointer \{ id: [1-9]\d*, x: 100.0, y: 50.0, button: Primary/);
    assert.match(events[1], /^PointerMove\(Pointer \{ id: [1-9]\d*, x: 140.0, y: 60.0/);
    assert.match(events.at(-1), /^PointerUp/);
    return tab;
  },

  async "two runs on one page are independent"() {
    const tab = await open({ left: "sized,keys:canvas", right: "sized,keys:canvas" });
    await ticking(tab, 0);
    await ticking(tab, 1);
    const click = (y) =>
      Promise.all(
        ["mousePressed", "mouseReleased"].map((type) =>
          tab.send("Input.dispatchMouseEvent", { type, x: 50, y, button: "left", clickCount: 1 }),
        ),
      );
    await click(500);
    await tab.key("rawKeyDown", "ArrowRight");
    await tab.waitFor("probes[1].x > 20", "the second moves");
    assert.equal((await probe(tab, 0)).x, 0, "the first does not");
    await click(100);
    await tab.waitFor(`probes[1].events.includes("FocusLost")`);
    assert.equal(heard(await probe(tab, 1), "KeyUp(ArrowRight)"), 1, "a click elsewhere lets go of the key");

    await tab.evaluate("probes[0].stop()");
    const [first, second] = [await probe(tab, 0), await probe(tab, 1)];
    await tab.waitFor(`probes[1].ticks > ${second.ticks + 30}`, "the second goes on");
    assert.equal((await probe(tab, 0)).ticks, first.ticks, "the first has stopped");

    return tab;
  },

  async "an app that quits stops, be it in an event or in a step"() {
    const tab = await open({ left: "sized", right: "sized,keys:canvas" });
    await ticking(tab, 0);
    await tab.key("rawKeyDown", "KeyQ");
    await tab.evaluate(`right.dispatchEvent(new KeyboardEvent("keydown", { code: "Escape" }))`);
    await sleep(200);
    const [left, right] = [await probe(tab, 0), await probe(tab, 1)];
    await sleep(200);
    assert.equal((await probe(tab, 0)).ticks, left.ticks, "in a step");
    assert.equal((await probe(tab, 1)).ticks, right.ticks, "in an event");
    return tab;
  },

  async "a gamepad's press reaches one tick"() {
    const stub = `
      globalThis.pad = { connected: true, buttons: Array.from({ length: 17 }, () => ({ pressed: false })), axes: [0, 0, 0, 0] };
      navigator.getGamepads = () => [pad, null];`;
    const tab = await open({ game: "sized" }, stub);
    await ticking(tab);
    await tab.evaluate("(pad.buttons[0].pressed = true, pad.axes[0] = -1)");
    await tab.waitFor("probes[0].taps === 1", "the press");
    await sleep(200);
    const state = await probe(tab);
    assert.equal(state.taps, 1);
    assert.equal(heard(state, "PadAxis { pad: 0, axis: LeftX, value: -1.0 }"), 1);
    await tab.evaluate("(pad.connected = false)");
    await tab.waitFor(`probes[0].events.includes("PadUp { pad: 0, button: South }")`, "unplugged is released");
    return tab;
  },

  async "given timestamps decide everything"() {
    const stub = `
      globalThis.frames = [];
      globalThis.requestAnimationFrame = (frame) => frames.push(frame);
      globalThis.cancelAnimationFrame = () => {};`;
    const tab = await open({ game: "sized" }, stub);
    const fire = `for (let n = 0; n <= 1440; n++) frames.pop()(1000 + n * 1000 / 144);`;
    await tab.evaluate(`(() => { ${fire} })()`);
    const { ticks, stepsMost, spikes } = await probe(tab);
    assert.deepEqual([ticks, stepsMost, spikes], [600, 1, 0]);
    return tab;
  },

  async "a page without the canvas is an error, in words"() {
    const tab = await open({ game: "missing" });
    assert.equal(await tab.evaluate("probes[0].error"), 'no canvas with the id "game" on the page');
    return tab;
  },
};

const wanted = process.argv[3] ?? "";
let failures = 0;
for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(wanted))) {
  try {
    const tab = await test();
    assert.deepEqual(tab.complaints, [], "the console is empty");
    await tab.close();
    console.log(`test ${name} ... ok`);
  } catch (error) {
    failures += 1;
    console.log(`test ${name} ... FAILED\n${error.stack}`, tabs.at(-1)?.complaints);
  }
}
await browser.close();
server.close();
console.log(failures ? `${failures} failed` : "all passed");
process.exitCode = failures ? 1 : 0;
