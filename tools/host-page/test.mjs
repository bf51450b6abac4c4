// Tests the web host in a real browser. `cargo xtask test` runs this; to run it alone:
//
//   cargo xtask web --probe --build-only
//   node tools/host-page/test.mjs --server target/web-tool/debug/web-builder --site target/web-probe
import assert from "node:assert/strict";
import { GAMEPAD, live, open as openPage, run, shoot, until, visit } from "../browser/harness.mjs";

/** Opens the page with these apps and waits until they have started. */
async function open(apps, script) {
  const page = await openPage(`/?${new URLSearchParams(apps)}`, { script });
  await until(page, "globalThis.isReady");
  return page;
}

const report = (page, n = 0) => page.evaluate(`({ ...apps[${n}], events: [...apps[${n}].events], stop: undefined })`);
const ticking = (page, n = 0) => until(page, `apps[${n}].ticks > 20`);
const received = (state, event) => state.events.filter((text) => text.startsWith(event)).length;

/**
 * Checks that a page runs nothing behind another one, and that nothing jumps on return. `setState` may freeze it meanwhile.
 */
async function assertSuspended(page, setState = async () => {}) {
  const start = await report(page);
  await setState("frozen");
  const other = await openPage("/");
  await until(page, `apps[0].events.filter((event) => event === "Hidden").length > ${received(start, "Hidden")}`);
  const away = await report(page);
  await live(other, 90);
  const still = await report(page);
  assert.equal(still.ticks, away.ticks, "no ticks while away");
  assert.equal(still.draws, away.draws, "no images while away");
  await setState("active");
  await page.bringToFront();
  await until(page, `apps[0].ticks > ${still.ticks + 30}`);
  const back = await report(page);
  assert.equal(received(back, "Hidden"), received(start, "Hidden") + 1);
  assert.equal(received(back, "Shown"), received(start, "Shown") + 1);
  assert.equal(received(back, `back with 0 steps and ${away.spikes} spikes`), 1, "no burst of steps, no lag spike");
  const awayMs = back.uncountedMs - away.uncountedMs;
  assert.ok(awayMs > 1_200, `the time away must not count, but only ${awayMs} ms were left out`);
  return back;
}

/** An init script that records each event: its type, its timestamp, and the time when it is handled. */
const RECORD_EVENTS = `
  globalThis.recorded = [];
  for (const kind of ["keydown", "keyup", "pointerdown", "pointermove", "pointerup", "wheel", "blur"]) {
    addEventListener(kind, (event) => recorded.push([kind, event.timeStamp, performance.now()]), { capture: true });
  }`;

const tests = {
  async "the app starts and is drawn"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    const { width, height, scale } = await report(page);
    assert.deepEqual([width, height, scale], [640, 360, 1]);
    const middle = `[...document.querySelector("canvas").getContext("2d").getImageData(320, 180, 1, 1).data]`;
    assert.deepEqual(await page.evaluate(middle), [0xff, 0xb7, 0x03, 0xff]);
    await shoot(page, "host");
  },

  async "keys act while they are held, and a tap reaches one tick"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.keyboard.down("ArrowRight");
    // A key that is held repeats.
    await page.keyboard.down("ArrowRight");
    await until(page, "apps[0].x > 60");
    await page.keyboard.up("ArrowRight");
    await live(page, 10);
    const { x } = await report(page);
    await live(page, 20);
    assert.equal((await report(page)).x, x, "nothing moves after the release");
    for (let n = 0; n < 20; n++) {
      await page.keyboard.down("Space");
      await page.keyboard.up("Space");
    }
    await until(page, "apps[0].taps >= 20");
    await live(page, 10);
    const state = await report(page);
    assert.equal(state.taps, 20);
    assert.equal(received(state, "KeyDown(ArrowRight)"), 1, "repeats are ignored");
  },

  async "the browser keeps every key that the app does not use, and every shortcut"() {
    const page = await open({ game: "sized,uses:Tab+KeyL+F5" });
    await ticking(page);
    /** Presses a key and tells whether the browser may act on it, and whether the app got it. */
    const press = (code, options = {}, target = "document.body") => page.evaluate(`{
      const event = new KeyboardEvent("keydown", { code: "${code}", bubbles: true, cancelable: true, ...${JSON.stringify(options)} });
      const before = apps[0].events.length;
      ${target}.dispatchEvent(event);
      const told = apps[0].events.slice(before).includes("KeyDown(${code})");
      ${target}.dispatchEvent(new KeyboardEvent("keyup", { code: "${code}", bubbles: true }));
      [event.defaultPrevented ? "taken" : "left", told ? "told" : "not told"].join(", ");
    }`);
    for (const code of ["ArrowLeft", "Space", "Tab", "KeyL", "F5"]) assert.equal(await press(code), "taken, told", code);
    for (const code of ["Backspace", "Slash", "Quote", "F1", "F3", "F12", "ArrowUp", "PageDown", "KeyA"]) {
      assert.equal(await press(code), "left, told", code);
    }
    for (const code of ["KeyL", "KeyR", "Tab", "F5"]) {
      assert.equal(await press(code, { ctrlKey: true }), "left, not told", `Control and ${code}`);
      assert.equal(await press(code, { metaKey: true }), "left, not told", `Command and ${code}`);
    }
    assert.equal(await press("ArrowLeft", { altKey: true }), "left, told", "Alt may be a key of the game");
    await page.evaluate(`document.body.insertAdjacentHTML("beforeend", '<a href="#x">x</a><button>y</button><input>')`);
    for (const element of ["a", "button"]) {
      const target = `document.querySelector("${element}")`;
      assert.equal(await press("Space", {}, target), "left, not told", `Space presses the ${element}`);
      assert.equal(await press("Enter", {}, target), "left, not told", `Enter presses the ${element}`);
      assert.equal(await press("ArrowLeft", {}, target), "taken, told", "the game goes on");
    }
    assert.equal(await press("ArrowLeft", {}, `document.querySelector("input")`), "left, not told", "typing");

    const fighter = await open({ game: "sized,uses:ControlLeft" });
    await ticking(fighter);
    await fighter.keyboard.down("ControlLeft");
    await fighter.keyboard.press("ArrowLeft");
    const { events } = await report(fighter);
    assert.ok(events.includes("KeyDown(ArrowLeft)"), "a game whose fire key is Control can steer and fire");
  },

  async "an app changes its page while it runs"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    const canvas = `document.querySelector("canvas")`;
    await page.keyboard.press("KeyF");
    await until(page, `document.fullscreenElement === ${canvas} && apps[0].width === innerWidth`);
    await page.keyboard.press("KeyF");
    await until(page, `document.fullscreenElement === null && apps[0].width === 640`);
    // Without a key or a click, a browser refuses. That is no error.
    const refused = await page.evaluate(`new Promise((resolve) => {
      addEventListener("unhandledrejection", () => resolve("unhandled"));
      dispatchEvent(new KeyboardEvent("keydown", { code: "KeyF" }));
      dispatchEvent(new KeyboardEvent("keyup", { code: "KeyF" }));
      let frames = 0;
      const wait = () => (++frames > 20 ? resolve("ignored") : requestAnimationFrame(wait));
      wait();
    })`);
    assert.equal(refused, "ignored");
    await page.evaluate("document.fullscreenElement && document.exitFullscreen()");
    await page.keyboard.press("KeyT");
    await until(page, `document.title === "Renamed"`);
    await page.keyboard.press("KeyC");
    await until(page, `getComputedStyle(${canvas}).cursor === "none"`);
    await page.keyboard.press("KeyV");
    await until(page, `getComputedStyle(${canvas}).cursor === "auto"`);
    await page.keyboard.press("KeyM");
    await until(page, "apps[0].width === 700 && apps[0].height === 400");
  },

  async "an event has the browser's timestamp, on the same clock as the frames"() {
    const page = await open({ game: "sized" }, RECORD_EVENTS + GAMEPAD);
    await ticking(page);
    // Keys that are pressed while the page is busy.
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
    await until(page, `apps[0].events.includes("PadDown { pad: 0, button: East }")`);
    await until(page, `apps[0].events.some((event) => event.startsWith("Wheel"))`);
    await page.evaluate(`dispatchEvent(new FocusEvent("blur"))`);

    const state = await page.evaluate("({ events: apps[0].events, times: apps[0].times, recorded, now: performance.now() })");
    const KINDS = {
      keydown: "KeyDown", keyup: "KeyUp", pointerdown: "PointerDown", pointermove: "PointerMove", pointerup: "PointerUp",
      wheel: "Wheel", blur: "FocusLost",
    };
    for (const [kind, name] of Object.entries(KINDS)) {
      const recorded = state.recorded.filter(([type]) => type === kind);
      const times = state.times.filter((_, n) => state.events[n].startsWith(name));
      assert.ok(recorded.length > 0 && recorded.length === times.length, `${kind}: ${recorded.length} and ${times.length}`);
      recorded.forEach(([, at, now], n) => {
        assert.ok(at <= now, `${kind}: ${at} must not be after ${now}`);
        assert.ok(Math.abs(times[n] - at) < 1e-3, `${kind}: ${times[n]} must be ${at}`);
      });
    }
    const polled = state.times[state.events.indexOf("PadDown { pad: 0, button: East }")];
    assert.ok(polled > state.recorded[0][1] && polled <= state.now, "gamepads are polled on the same clock");
    const { stepMsMax } = await report(page);
    assert.ok(stepMsMax < 200, `a busy page must not count as the app's work, but a step took ${stepMsMax} ms`);
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
    await until(page, "apps[0].taps >= 4");
    await live(page, 10);
    const after = await page.evaluate("({ taps: apps[0].taps, times: apps[0].times, events: apps[0].events, now: performance.now() })");
    assert.equal(after.taps, 4);
    const downs = after.times.filter((_, n) => after.events[n] === "KeyDown(Space)");
    assert.ok(downs.every((at) => at >= before && at <= after.now), `${downs} from ${before} to ${after.now}`);
  },

  async "a lost focus releases the keys"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.keyboard.down("ArrowRight");
    await until(page, "apps[0].x > 20");
    await page.evaluate(`dispatchEvent(new FocusEvent("blur"))`);
    const state = await report(page);
    assert.deepEqual(state.events.slice(-2), ["KeyUp(ArrowRight)", "FocusLost"]);
  },

  async "a hidden page is suspended and resumes without a lag spike"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.keyboard.down("ArrowRight");
    await until(page, "apps[0].x > 20");
    const state = await assertSuspended(page);
    assert.equal(received(state, "KeyUp(ArrowRight)"), 1, "hiding releases the keys");
  },

  async "a frozen page is suspended and resumes without a lag spike"() {
    const page = await open({ game: "sized,background:run" });
    await ticking(page);
    await assertSuspended(page, (state) => page.devtools.send("Page.setWebLifecycleState", { state }));
  },

  async "a page from the back/forward cache resumes without a lag spike"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.evaluate(`addEventListener("pageshow", (event) => (globalThis.isFromCache = event.persisted))`);
    const before = await report(page);
    await visit(page, "/index.html?");
    await live(page, 60);
    await page.evaluate("history.back()");
    await until(page, `globalThis.apps?.[0]?.ticks > ${before.ticks + 30}`);
    assert.equal(await page.evaluate("globalThis.isFromCache"), true, "the page comes from the cache");
    const back = await report(page);
    assert.deepEqual(back.events.slice(-3), ["Hidden", "Shown", `back with 0 steps and ${before.spikes} spikes`]);
    assert.ok(back.uncountedMs - before.uncountedMs > 800, "the time away does not count");
  },

  async "an app can run in the background without drawing"() {
    const page = await open({ game: "sized,background:run" });
    await ticking(page);
    const other = await openPage("/");
    await until(page, `apps[0].events.includes("Hidden")`);
    const before = await report(page);
    await until(page, `apps[0].ticks > ${before.ticks + 180}`);
    const after = await report(page);
    // Holds on a busy machine too, because what it cannot simulate in time is dropped and counted.
    const driftMs = after.uncountedMs - before.uncountedMs;
    assert.ok(Math.abs(driftMs) < 250, `ticks are ${driftMs} ms behind the clock after three seconds`);
    assert.equal(after.draws, before.draws, "nothing is drawn");
    await page.bringToFront();
    await until(page, `apps[0].draws > ${after.draws}`);
    assert.equal((await report(page)).spikes, after.spikes);
    await other.close();
  },

  async "the canvas follows its styled size and the pixel ratio"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.evaluate(`Object.assign(document.querySelector("canvas").style, { width: "500px", height: "301px" })`);
    await until(page, "apps[0].width === 500 && apps[0].height === 301");
    await page.devtools.send("Emulation.setDeviceMetricsOverride", { width: 900, height: 700, deviceScaleFactor: 2, mobile: false });
    await until(page, "apps[0].scale === 2");
    const canvas = `(({ width, height }) => [width, height])(document.querySelector("canvas"))`;
    assert.deepEqual(await page.evaluate(canvas), [1000, 602]);
    assert.ok(received(await report(page), "Resized") >= 2);
  },

  async "a canvas without a style does not grow on a high-density screen"() {
    const page = await openPage("/");
    await page.devtools.send("Emulation.setDeviceMetricsOverride", { width: 900, height: 700, deviceScaleFactor: 3, mobile: false });
    await visit(page, "/?game=plain");
    await ticking(page);
    await live(page, 20);
    const { width, height, scale } = await report(page);
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
    await until(page, `apps[0].events.at(-1).startsWith("PointerUp")`);
    const events = (await report(page)).events.filter((text) => text.startsWith("Pointer"));
    assert.match(events[0], /^PointerDown\(Pointer \{ id: [1-9]\d*, x: 100.0, y: 50.0, button: Primary/);
    assert.match(events[1], /^PointerMove\(Pointer \{ id: [1-9]\d*, x: 140.0, y: 60.0/);
    assert.match(events.at(-1), /^PointerUp/);
  },

  async "a finger on a canvas that is taken out of the page is released"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    const touch = (type, touchPoints) => page.devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", [{ x: 100, y: 100 }]);
    await until(page, `apps[0].events.some((event) => event.startsWith("PointerDown"))`);
    await page.evaluate(`globalThis.taken = document.querySelector("canvas"), globalThis.home = taken.parentNode, taken.remove()`);
    await touch("touchEnd", []);
    await page.evaluate("home.append(taken)");
    await until(page, `apps[0].events.some((event) => event.startsWith("PointerUp"))`);
  },

  async "text fields in a shadow tree, the back button and zooming are the page's"() {
    const page = await open({ game: "sized" });
    await ticking(page);
    await page.evaluate(`{
      const host = document.body.appendChild(document.createElement("div"));
      globalThis.field = host.attachShadow({ mode: "open" }).appendChild(document.createElement("input"));
      field.focus();
    }`);
    await page.keyboard.type("a b c");
    assert.equal(await page.evaluate("field.value"), "a b c");
    assert.equal(received(await report(page), "KeyDown"), 0);
    const before = (await report(page)).events.length;
    const isTaken = await page.evaluate(`(() => {
      const canvas = document.querySelector("canvas");
      canvas.dispatchEvent(new PointerEvent("pointerdown", { button: 3, buttons: 8, bubbles: true }));
      const wheel = new WheelEvent("wheel", { deltaY: 1, ctrlKey: true, cancelable: true, bubbles: true });
      canvas.dispatchEvent(wheel);
      return wheel.defaultPrevented;
    })()`);
    assert.equal(isTaken, false);
    const after = (await report(page)).events.slice(before).filter((event) => /Pointer|Wheel/.test(event));
    assert.deepEqual(after, []);
  },

  async "two apps on one page are independent"() {
    const page = await open({ left: "sized,keys:canvas", right: "sized,keys:canvas" });
    await ticking(page, 0);
    await ticking(page, 1);
    await page.mouse.click(50, 500);
    await page.keyboard.down("ArrowRight");
    await until(page, "apps[1].x > 20");
    assert.equal((await report(page, 0)).x, 0, "the first app gets no keys");
    await page.mouse.click(50, 100);
    await until(page, `apps[1].events.includes("FocusLost")`);
    assert.equal(received(await report(page, 1), "KeyUp(ArrowRight)"), 1, "a click elsewhere releases the key");

    await page.evaluate("apps[0].stop()");
    const [first, second] = [await report(page, 0), await report(page, 1)];
    await until(page, `apps[1].ticks > ${second.ticks + 30}`);
    assert.equal((await report(page, 0)).ticks, first.ticks, "the first app has stopped");
  },

  async "an app can quit in an event or in a step"() {
    const page = await open({ left: "sized", right: "sized,keys:canvas" });
    await ticking(page, 0);
    await page.keyboard.down("KeyQ");
    await page.evaluate(`right.dispatchEvent(new KeyboardEvent("keydown", { code: "Escape" }))`);
    await live(page, 10);
    const [left, right] = [await report(page, 0), await report(page, 1)];
    await live(page, 20);
    assert.equal((await report(page, 0)).ticks, left.ticks, "in a step");
    assert.equal((await report(page, 1)).ticks, right.ticks, "in an event");
  },

  async "a gamepad's press reaches one tick"() {
    const page = await open({ game: "sized" }, GAMEPAD);
    await ticking(page);
    await page.evaluate("(pad.buttons[0].pressed = true, pad.axes[0] = -1)");
    await until(page, "apps[0].taps >= 1");
    await live(page, 10);
    const state = await report(page);
    assert.equal(state.taps, 1);
    assert.equal(received(state, "PadAxis { pad: 0, axis: LeftX, value: -1.0 }"), 1);
    await page.evaluate("(pad.connected = false)");
    await until(page, `apps[0].events.includes("PadUp { pad: 0, button: South }")`);
  },

  async "only the timestamps decide how many steps run"() {
    const stub = `
      globalThis.frames = [];
      globalThis.requestAnimationFrame = (frame) => frames.push(frame);
      globalThis.cancelAnimationFrame = () => {};`;
    const page = await open({ game: "sized" }, stub);
    const fire = `for (let n = 0; n <= 1440; n++) frames.pop()(1000 + n * 1000 / 144);`;
    await page.evaluate(`(() => { ${fire} })()`);
    const { ticks, stepsMax, spikes } = await report(page);
    assert.deepEqual([ticks, stepsMax, spikes], [600, 1, 0]);
  },

  async "without a graphics card an app that can draws with Canvas 2D and says so, and one that cannot stops and says so"() {
    const page = await open({ any: "sized,renderer:any", gpu: "sized,renderer:gpu" });
    await ticking(page);
    assert.match((await report(page)).renderer, /^Canvas 2D: the browser (offers no graphics card|has no WebGPU)$/);
    await until(page, "!apps[1].isRunning()");
    const failure = await page.evaluate("apps[1].failure()");
    assert.match(failure, /^no graphics card to draw with: the browser /);
    assert.deepEqual(page.problems.splice(0), [failure], "the console has it, too");
    assert.equal(await page.evaluate("apps[0].failure() ?? null"), null);
    const middle = `[...document.querySelector("canvas").getContext("2d").getImageData(320, 180, 1, 1).data]`;
    assert.deepEqual(await page.evaluate(middle), [0xff, 0xb7, 0x03, 0xff]);
  },

  async "a missing canvas is a clear error"() {
    const page = await open({ game: "missing" });
    assert.equal(await page.evaluate("apps[0].error"), 'no canvas with the id "game" on the page');
  },
};

await run(tests);
