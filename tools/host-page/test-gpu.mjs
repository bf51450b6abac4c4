// Tests the web host with WebGPU, on Chromium's software graphics card. `cargo xtask test` runs this; to run it alone:
//
//   cargo xtask web --probe --build-only
//   node tools/host-page/test-gpu.mjs --server target/web-tool/debug/web-builder --site target/web-probe
import assert from "node:assert/strict";
import { SOFTWARE_GPU, compare, live, open as openPage, run, shoot, until } from "../browser/harness.mjs";

/** An init script that lets a test destroy the device, and take all graphics cards away. */
const CARDS = `
  globalThis.devices = [];
  const requestDevice = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (...options) {
    const device = await requestDevice.apply(this, options);
    devices.push(device);
    return device;
  };
  const requestAdapter = GPU.prototype.requestAdapter;
  GPU.prototype.requestAdapter = function (...options) {
    if (globalThis.areCardsHung) return new Promise(() => {});
    return globalThis.areCardsGone ? Promise.resolve(null) : requestAdapter.apply(this, options);
  };`;

async function open(options, script = CARDS) {
  const page = await openPage(`/?game=${options}`, { script });
  await until(page, "globalThis.isReady");
  return page;
}

const report = (page) => page.evaluate("({ ...apps[0], events: [...apps[0].events], stop: undefined, isRunning: undefined, failure: undefined })");
const received = (state, event) => state.events.filter((text) => text === event).length;
const drawing = (page) => until(page, "apps[0].draws > 10");
const hasContext = (page, kind) => page.evaluate(`document.querySelector("canvas").getContext("${kind}") !== null`);

/** Checks that a page shows what Canvas 2D draws. Only edges may differ, because each smooths them in its own way. */
async function assertSamePicture(page, what) {
  const size = await page.evaluate(`(({ width, height }) => [width, height])(document.querySelector("canvas").getBoundingClientRect())`);
  const clip = { x: 0, y: 0, width: size[0], height: size[1] };
  const picture = await page.screenshot({ clip });
  const other = await open("sized");
  await drawing(other);
  await other.evaluate(`Object.assign(document.querySelector("canvas").style, { width: "${size[0]}px", height: "${size[1]}px" })`);
  await until(other, `apps[0].width === ${size[0]}`);
  await live(other, 2);
  const { mean, p999, colors } = await compare(other, picture, await other.screenshot({ clip }));
  console.log(`     ${what}: mean difference ${mean.toFixed(3)} of 255, 99.9 % within ${p999}, ${colors} colours`);
  assert.ok(colors > 20, `there is something to see, but only in ${colors} colours`);
  assert.ok(mean < 0.5 && p999 <= 24, `${what}: mean ${mean}, p99.9 ${p999}`);
  await other.close();
  await page.bringToFront();
}

const tests = {
  async "a graphics card draws what Canvas 2D draws, at any size"() {
    const page = await open("sized,renderer:gpu");
    await drawing(page);
    const state = await report(page);
    assert.match(state.renderer, /WebGPU/);
    assert.deepEqual([state.width, state.height, state.scale], [640, 360, 1]);
    assert.ok(await hasContext(page, "webgpu"));
    await shoot(page, "host-gpu");
    await assertSamePicture(page, "640 x 360");
    await page.evaluate(`Object.assign(document.querySelector("canvas").style, { width: "501px", height: "301px" })`);
    await until(page, "apps[0].width === 501 && apps[0].height === 301");
    await live(page, 2);
    await assertSamePicture(page, "501 x 301");
  },

  async "software is left for Canvas 2D, before the canvas is touched"() {
    const page = await open("sized,renderer:any");
    await drawing(page);
    assert.match((await report(page)).renderer, /^Canvas 2D: .* is software$/);
    assert.equal(await page.evaluate("devices.length"), 0, "no device is opened for nothing");
    assert.ok(await hasContext(page, "2d"));
  },

  async "keys, sizes and the pixel ratio are the same as on Canvas 2D"() {
    const page = await open("sized,renderer:gpu");
    await drawing(page);
    for (let n = 0; n < 20; n++) await page.keyboard.press("Space");
    await until(page, "apps[0].taps >= 20");
    await page.keyboard.down("ArrowRight");
    await until(page, "apps[0].x > 20");
    await page.keyboard.up("ArrowRight");
    await page.devtools.send("Emulation.setDeviceMetricsOverride", { width: 900, height: 700, deviceScaleFactor: 2, mobile: false });
    await until(page, "apps[0].scale === 2");
    await live(page, 2);
    assert.deepEqual(await page.evaluate(`(({ width, height }) => [width, height])(document.querySelector("canvas"))`), [1280, 720]);
    await page.evaluate(`document.querySelector("canvas").style.width = "0px"`);
    await until(page, `apps[0].events.some((event) => event.includes("width: 0.0"))`);
    const { ticks, draws } = await report(page);
    await until(page, `apps[0].ticks > ${ticks + 20}`);
    await page.evaluate(`document.querySelector("canvas").style.width = ""`);
    await until(page, `apps[0].draws > ${draws + 5}`);
    const state = await report(page);
    assert.equal(state.taps, 20);
    assert.equal(received(state, "KeyDown(ArrowRight)"), 1);
  },

  async "a hidden page stands still"() {
    const page = await open("sized,renderer:gpu");
    await drawing(page);
    const other = await openPage("/");
    await until(page, `apps[0].events.includes("Hidden")`);
    const away = await report(page);
    await live(other, 60);
    const still = await report(page);
    assert.deepEqual([still.ticks, still.draws], [away.ticks, away.draws]);
    await page.bringToFront();
    await until(page, `apps[0].draws > ${still.draws + 10}`);
    const back = await report(page);
    assert.equal(received(back, `back with 0 steps and ${away.spikes} spikes`), 1, "no burst of steps, no lag spike");
  },

  async "a lost card is found again on the same canvas, and the game goes on"() {
    const page = await open("sized,renderer:gpu");
    await drawing(page);
    await page.evaluate(`globalThis.first = document.querySelector("canvas")`);
    for (const found of [2, 3]) {
      const { draws, ticks } = await report(page);
      await page.evaluate("devices.at(-1).destroy()");
      await until(page, `devices.length === ${found} && apps[0].draws > ${draws + 20} && apps[0].ticks > ${ticks + 20}`);
    }
    assert.ok(await page.evaluate(`document.querySelector("canvas") === first`));
    await assertSamePicture(page, "after two losses");
  },

  async "a card that is lost for good is replaced by Canvas 2D, with the keys and the focus"() {
    const page = await open("sized,renderer:any,keys:canvas", `${CARDS}
      // A card that does not say that it is software.
      Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { get: () => false });`);
    await drawing(page);
    assert.match((await report(page)).renderer, /WebGPU/);
    await page.mouse.click(300, 100);
    await page.keyboard.down("ArrowRight");
    await until(page, "apps[0].x > 20");
    const before = await report(page);
    await page.evaluate("globalThis.areCardsGone = true, devices.at(-1).destroy()");
    await until(page, `apps[0].renderer.startsWith("Canvas 2D: the browser offers no graphics card")`);
    await until(page, `apps[0].x > ${before.x} + 40`);
    await page.keyboard.up("ArrowRight");
    await until(page, `apps[0].events.includes("KeyUp(ArrowRight)")`);
    const state = await report(page);
    assert.equal(received(state, "KeyDown(ArrowRight)"), 1, "the key was held all the time");
    assert.equal(received(state, "FocusLost"), 0);
    assert.equal(state.spikes, before.spikes);
    assert.ok(await hasContext(page, "2d"));
    assert.equal(await page.evaluate(`document.querySelectorAll("canvas").length`), 1);
    await page.evaluate(`Object.assign(document.querySelector("canvas").style, { width: "500px", height: "301px" })`);
    await until(page, "apps[0].width === 500 && apps[0].height === 301");
  },

  async "an app that needs a card stops with a clear notice when there is none any more"() {
    const page = await open("sized,renderer:gpu");
    await drawing(page);
    await page.evaluate("globalThis.areCardsGone = true, devices.at(-1).destroy()");
    await until(page, "!apps[0].isRunning()");
    const failure = "no graphics card to draw with: the browser offers no graphics card";
    assert.equal(await page.evaluate("apps[0].failure()"), failure);
    assert.deepEqual(page.problems.splice(0), [failure]);
  },

  async "a browser that never answers is left for Canvas 2D"() {
    const page = await open("sized,renderer:any", `${CARDS} globalThis.areCardsHung = true;`);
    await drawing(page);
    assert.equal((await report(page)).renderer, "Canvas 2D: the browser does not answer");
  },
};

// A failure here is not retried: nothing depends on the speed of the machine.
await run(tests, { flags: SOFTWARE_GPU, attempts: 1 });
