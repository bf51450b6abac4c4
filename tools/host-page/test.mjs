// The web host in a real browser. It is called by `cargo xtask test`; alone:
//
//   cargo xtask web --probe --build-only
//   node tools/host-page/test.mjs --server target/web-tool/debug/web-builder --site target/web-probe
import assert from "node:assert/strict";
import { GAMEPAD, live, open as openPage, run, shoot, until, visit } from "../browser/harness.mjs";

/** Opens the page with these probes and waits until they are there. */
async function open(probes, script) {
  const page = await openPage(`/?${new URLSearchParams(probes)}`, { script });
  await until(page, "globalThis.isReady");
  return page;
}

const probe = (page, n = 0) => page.evaluate(`({ ...probes[${n}], events: [...probes[${n}].events], stop: undefined })`);
const ticking = (page, n = 0) => until(page, `probes[${n}].ticks > 20`);
const heard = (state, event) => state.events.filter((text) => text.startsWith(event)).length;

/** Nothing happens on a page behind another, and nothing jumps when it is back. Meanwhile it may `become` frozen. */
async function standsStill(page, become = async () => {}) {
  const start = await probe(page);
  await become("frozen");
  const other = await openPage("/");
  await until(page, `probes[0].events.filter((event) => event === "Hidden").length > ${heard(start, "Hidden")}`);
  const away = await probe(page);
  await live(other, 90);
  const still = await probe(page);
  assert.equal(still.ticks, away.ticks, "no ticks while away");
  assert.equal(still.draws, away.draws, "no images while away");
  await become("active");
  await page.bringToFront();
  await until(page, `probes[0].ticks > ${still.ticks + 30}`);
  const back = await probe(page);
  assert.equal(heard(back, "Hidden"), heard(start, "Hidden") + 1);
  assert.equal(heard(back, "Shown"), heard(start, "Shown") + 1);
  assert.equal(heard(back, `back with 0 steps and ${away.spikes} spikes`), 1, "no burst of steps, no lag spike");
  const awayMs = back.uncountedMs - away.uncountedMs;
  assert.ok(awayMs > 1_200, `the time away was no time, but ${awayMs} ms were left out`);
  return back;
}

/** Writes down what the browser says of each event: its kind, its time, and the page's time when it is told. */
const WITNESS = `
  globalThis.told = [];
  for (const kind of ["keydown", "keyup", "pointerdown", "pointermove", "pointerup", "wheel", "blur"]) {
    addEventListener(kind, (event) => told.push([kind, event.timeStamp, performance.now()]), { capture: true });
  }`;

const tests = {
  async "the app starts and is drawn"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    const { width, height, scale } = await probe(page);
    assert.deepEqual([width, height, scale], [640, 360, 1]);
    const middle = `[...document.querySelector("canvas").getContext("2d").getImageData(320, 180, 1, 1).data]`;
    assert.deepEqual(await page.evaluate(middle), [0xff, 0xb7, 0x03, 0xff]);
    await shoot(page, "host");
  },

  async "keys act while they are held, and a tap reaches one tick"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.keyboard.down("ArrowRight");
    // Held down, it repeats.
    await page.keyboard.down("ArrowRight");
    await until(page, "probes[0].x > 60");
    await page.keyboard.up("ArrowRight");
    await live(page, 10);
    const { x } = await probe(page);
    await live(page, 20);
    assert.equal((await probe(page)).x, x, "a key that is up moves nothing");
    for (let n = 0; n < 20; n++) {
      await page.keyboard.down("Space");
      await page.keyboard.up("Space");
    }
    await until(page, "probes[0].taps >= 20");
    await live(page, 10);
    const state = await probe(page);
    assert.equal(state.taps, 20);
    assert.equal(heard(state, "KeyDown(ArrowRight)"), 1, "held is no repeat");
  },

  async "an event happened when the browser says, on the clock of the frames"() {
    const page = await open({ game: "sized" }, WITNESS + GAMEPAD);
    await ticking(page);
    // Keys that wait for a busy page to hear of them.
    const busy = page.evaluate("{ const end = performance.now() + 400; while (performance.now() < end); }");
    const sent = [];
    for (let n = 0; n < 4; n++) sent.push(page.keyboard.down("KeyA"), page.keyboard.up("KeyA"));
    await Promise.all([busy, ...sent]);
    await page.mouse.move(60, 60);
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.wheel(0, 40);
    await page.evaluate(`{
      dispatchEvent(new KeyboardEvent("keydown", { code: "KeyB" }));
      dispatchEvent(new KeyboardEvent("keyup", { code: "KeyB" }));
      pad.buttons[1].pressed = true;
    }`);
    await until(page, `probes[0].events.includes("PadDown { pad: 0, button: East }")`);
    await until(page, `probes[0].events.some((event) => event.startsWith("Wheel"))`);
    await page.evaluate(`dispatchEvent(new FocusEvent("blur"))`);

    const state = await page.evaluate("({ events: probes[0].events, times: probes[0].times, told, now: performance.now() })");
    const KINDS = {
      keydown: "KeyDown", keyup: "KeyUp", pointerdown: "PointerDown", pointermove: "PointerMove", pointerup: "PointerUp",
      wheel: "Wheel", blur: "FocusLost",
    };
    for (const [kind, name] of Object.entries(KINDS)) {
      const told = state.told.filter(([of]) => of === kind);
      const heard = state.times.filter((_, n) => state.events[n].startsWith(name));
      assert.ok(told.length > 0 && told.length === heard.length, `${kind}: ${told.length} and ${heard.length}`);
      told.forEach(([, at, now], n) => {
        assert.ok(at <= now, `${kind}: ${at} is before ${now}`);
        assert.ok(Math.abs(heard[n] - at) < 1e-3, `${kind}: ${heard[n]} is ${at}`);
      });
    }
    const polled = state.times[state.events.indexOf("PadDown { pad: 0, button: East }")];
    assert.ok(polled > state.told[0][1] && polled <= state.now, "a poll is on the same clock");
    const { stepMsMost } = await probe(page);
    assert.ok(stepMsMost < 200, `a busy page is no work of the app's, but a step took ${stepMsMost} ms`);
  },

  async "an event from another clock counts as now, and no key sticks"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.evaluate(`globalThis.press = (kind, timeStamp) => {
      const event = new KeyboardEvent(kind, { code: "Space" });
      Object.defineProperty(event, "timeStamp", { value: timeStamp });
      dispatchEvent(event);
    }`);
    const before = await page.evaluate("performance.now()");
    const times = [["1e12", "5"], ["NaN", "Infinity"], ["Date.now()", "performance.now()"], ["performance.now() + 800", "-1"]];
    for (const [down, up] of times) {
      await page.evaluate(`press("keydown", ${down}), press("keyup", ${up})`);
    }
    await until(page, "probes[0].taps >= 4");
    await live(page, 10);
    const after = await page.evaluate("({ taps: probes[0].taps, times: probes[0].times, events: probes[0].events, now: performance.now() })");
    assert.equal(after.taps, 4);
    const downs = after.times.filter((_, n) => after.events[n] === "KeyDown(Space)");
    assert.ok(downs.every((at) => at >= before && at <= after.now), `${downs} from ${before} to ${after.now}`);
  },

  async "a lost focus releases the keys"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.keyboard.down("ArrowRight");
    await until(page, "probes[0].x > 20");
    await page.evaluate(`dispatchEvent(new FocusEvent("blur"))`);
    const state = await probe(page);
    assert.deepEqual(state.events.slice(-2), ["KeyUp(ArrowRight)", "FocusLost"]);
  },

  async "a hidden page stands still and returns without a spike"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.keyboard.down("ArrowRight");
    await until(page, "probes[0].x > 20");
    const state = await standsStill(page);
    assert.equal(heard(state, "KeyUp(ArrowRight)"), 1, "hiding lets go of the keys");
  },

  async "a frozen page stands still and returns without a spike"() {
    const page = await open({ game: "sized,background:run" });
    await ticking(page);
    await standsStill(page, (state) => page.devtools.send("Page.setWebLifecycleState", { state }));
  },

  async "a page from the back/forward cache goes on without a spike"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.evaluate(`addEventListener("pageshow", (event) => (globalThis.isFromCache = event.persisted))`);
    const before = await probe(page);
    await visit(page, "/index.html?");
    await live(page, 60);
    await page.evaluate("history.back()");
    await until(page, `globalThis.probes?.[0]?.ticks > ${before.ticks + 30}`);
    assert.equal(await page.evaluate("globalThis.isFromCache"), true, "the page comes from the cache");
    const back = await probe(page);
    assert.deepEqual(back.events.slice(-3), ["Hidden", "Shown", `back with 0 steps and ${before.spikes} spikes`]);
    assert.ok(back.uncountedMs - before.uncountedMs > 800, "the time away was no time");
  },

  async "an app may run in the background, unseen"() {
    const page = await open({ game: "sized,background:run" });
    await ticking(page);
    const other = await openPage("/");
    await until(page, `probes[0].events.includes("Hidden")`);
    const before = await probe(page);
    await until(page, `probes[0].ticks > ${before.ticks + 180}`);
    const after = await probe(page);
    // However busy the machine: what it has no time to simulate is given up.
    const driftMs = after.uncountedMs - before.uncountedMs;
    assert.ok(Math.abs(driftMs) < 250, `ticks are ${driftMs} ms behind the clock after three seconds`);
    assert.equal(after.draws, before.draws, "nothing is drawn");
    await page.bringToFront();
    await until(page, `probes[0].draws > ${after.draws}`);
    assert.equal((await probe(page)).spikes, after.spikes);
    await other.close();
  },

  async "the canvas follows its size and the screen's sharpness"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.evaluate(`Object.assign(document.querySelector("canvas").style, { width: "500px", height: "301px" })`);
    await until(page, "probes[0].width === 500 && probes[0].height === 301");
    await page.devtools.send("Emulation.setDeviceMetricsOverride", { width: 900, height: 700, deviceScaleFactor: 2, mobile: false });
    await until(page, "probes[0].scale === 2");
    const canvas = `(({ width, height }) => [width, height])(document.querySelector("canvas"))`;
    assert.deepEqual(await page.evaluate(canvas), [1000, 602]);
    assert.ok(heard(await probe(page), "Resized") >= 2);
  },

  async "a canvas without a style does not grow on a sharp screen"() {
    const page = await openPage("/");
    await page.devtools.send("Emulation.setDeviceMetricsOverride", { width: 900, height: 700, deviceScaleFactor: 3, mobile: false });
    await visit(page, "/?game=plain");
    await ticking(page);
    await live(page, 20);
    const { width, height, scale } = await probe(page);
    assert.deepEqual([width, height, scale], [300, 150, 3]);
  },

  async "fingers are pointers"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.devtools.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    const touch = (type, touchPoints) => page.devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", [{ x: 100, y: 50, id: 1 }]);
    await touch("touchMove", [{ x: 140, y: 60, id: 1 }]);
    await touch("touchEnd", []);
    await until(page, `probes[0].events.at(-1).startsWith("PointerUp")`);
    const events = (await probe(page)).events.filter((text) => text.startsWith("Pointer"));
    assert.match(events[0], /^PointerDown\(Pointer \{ id: [1-9]\d*, x: 100.0, y: 50.0, button: Primary/);
    assert.match(events[1], /^PointerMove\(Pointer \{ id: [1-9]\d*, x: 140.0, y: 60.0/);
    assert.match(events.at(-1), /^PointerUp/);
  },

  async "two runs on one page are independent"() {
    const page = await open({ left: "sized,keys:canvas", right: "sized,keys:canvas" });
    await ticking(page, 0);
    await ticking(page, 1);
    await page.mouse.click(50, 500);
    await page.keyboard.down("ArrowRight");
    await until(page, "probes[1].x > 20");
    assert.equal((await probe(page, 0)).x, 0, "the first does not");
    await page.mouse.click(50, 100);
    await until(page, `probes[1].events.includes("FocusLost")`);
    assert.equal(heard(await probe(page, 1), "KeyUp(ArrowRight)"), 1, "a click elsewhere lets go of the key");

    await page.evaluate("probes[0].stop()");
    const [first, second] = [await probe(page, 0), await probe(page, 1)];
    await until(page, `probes[1].ticks > ${second.ticks + 30}`);
    assert.equal((await probe(page, 0)).ticks, first.ticks, "the first has stopped");
  },

  async "an app that quits stops, be it in an event or in a step"() {
    const page = await open({ left: "sized", right: "sized,keys:canvas" });
    await ticking(page, 0);
    await page.keyboard.down("KeyQ");
    await page.evaluate(`right.dispatchEvent(new KeyboardEvent("keydown", { code: "Escape" }))`);
    await live(page, 10);
    const [left, right] = [await probe(page, 0), await probe(page, 1)];
    await live(page, 20);
    assert.equal((await probe(page, 0)).ticks, left.ticks, "in a step");
    assert.equal((await probe(page, 1)).ticks, right.ticks, "in an event");
  },

  async "a gamepad's press reaches one tick"() {
    const page = await open({ game: "sized" }, GAMEPAD);
    await ticking(page);
    await page.evaluate("(pad.buttons[0].pressed = true, pad.axes[0] = -1)");
    await until(page, "probes[0].taps >= 1");
    await live(page, 10);
    const state = await probe(page);
    assert.equal(state.taps, 1);
    assert.equal(heard(state, "PadAxis { pad: 0, axis: LeftX, value: -1.0 }"), 1);
    await page.evaluate("(pad.connected = false)");
    await until(page, `probes[0].events.includes("PadUp { pad: 0, button: South }")`);
  },

  async "given timestamps decide everything"() {
    const stub = `
      globalThis.frames = [];
      globalThis.requestAnimationFrame = (frame) => frames.push(frame);
      globalThis.cancelAnimationFrame = () => {};`;
    const page = await open({ game: "sized" }, stub);
    const fire = `for (let n = 0; n <= 1440; n++) frames.pop()(1000 + n * 1000 / 144);`;
    await page.evaluate(`(() => { ${fire} })()`);
    const { ticks, stepsMost, spikes } = await probe(page);
    assert.deepEqual([ticks, stepsMost, spikes], [600, 1, 0]);
  },

  async "a page without the canvas is an error, in words"() {
    const page = await open({ game: "missing" });
    assert.equal(await page.evaluate("probes[0].error"), 'no canvas with the id "game" on the page');
  },
};

await run(tests);
