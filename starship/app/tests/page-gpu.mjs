// Tests the game's page with WebGPU, on Chromium's software graphics card. `cargo xtask test` runs it; to run it on its own:
//
//   cargo xtask web --build-only
//   node starship/app/tests/page-gpu.mjs --server target/web-tool/debug/web-builder --site target/web
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { SOFTWARE_GPU, compare, live, open as openPage, run, shoot, until } from "../../../tools/browser/harness.mjs";

/** An init script that keeps the frames, for a test to run them at the times that it wants. */
const HELD_FRAMES = `
  globalThis.frames = [];
  const displayed = requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (frame) => frames.push(frame);
  globalThis.cancelAnimationFrame = () => {};
  globalThis.runFrames = (count) => {
    for (globalThis.ran ??= 0; count > 0; count--) {
      for (const frame of frames.splice(0)) frame(1000 + ran * 1000 / 60);
      ran += 1;
    }
  };
  // Draws the last frame once more, in a frame of the display, and waits until that has passed. No time passes for the game.
  globalThis.redraw = () => new Promise((done) => displayed(() => {
    for (const frame of frames.splice(0)) frame(1000 + (ran - 1) * 1000 / 60);
    displayed(done);
  }));`;

/** Small, so that a processor that plays a graphics card draws hundreds of frames in time. */
const SMALL = { viewport: { width: 480, height: 270 } };

async function open(query, script) {
  const page = await openPage(`/?${query}`, { script, device: script === HELD_FRAMES ? SMALL : undefined });
  await until(page, `globalThis.starship?.renderer() !== "" && globalThis.starship?.renderer() !== undefined`);
  return page;
}

/** Plays the same frames with a renderer. Returns the picture, and the tick and the hash of the state. */
async function play(renderer, count) {
  const page = await open(`autopilot&seed=5&renderer=${renderer}`, HELD_FRAMES);
  await page.evaluate(`runFrames(${count})`);
  const picture = await page.screenshot();
  await shoot(page, `web-${renderer}-${count}`);
  return { page, picture, state: await page.evaluate("[starship.tick(), starship.hash()]"), renderer: await page.evaluate("starship.renderer()") };
}

const tests = {
  async "a graphics card draws the same game as Canvas 2D, with the same hashes"() {
    for (const count of [60, 180]) {
      const [gpu, cpu] = [await play("gpu", count), await play("cpu", count)];
      assert.match(gpu.renderer, /WebGPU/);
      assert.equal(cpu.renderer, "Canvas 2D");
      assert.deepEqual(gpu.state, cpu.state);
      // A page that has just hidden its links has another size, which its next frame draws.
      let [{ mean, p999, colors }, end] = [await compare(cpu.page, gpu.picture, cpu.picture), Date.now() + 30_000];
      while ((mean >= 1 || p999 > 48) && Date.now() < end) {
        for (const { page } of [gpu, cpu]) await page.evaluate("redraw()");
        ({ mean, p999, colors } = await compare(cpu.page, await gpu.page.screenshot(), await cpu.page.screenshot()));
      }
      console.log(`     frame ${count}: mean difference ${mean.toFixed(3)} of 255, 99.9 % within ${p999}, ${colors} colours`);
      assert.ok(colors > 500, `there is something to see, but only in ${colors} colours`);
      // Edges are smoothed in different ways.
      assert.ok(mean < 1 && p999 <= 48, `frame ${count}: mean ${mean}, p99.9 ${p999}`);
      await gpu.page.close();
      await cpu.page.close();
    }
  },

  async "software is left for Canvas 2D unless it is asked for, and the answer is named"() {
    const page = await open("seed=5");
    assert.match(await page.evaluate("starship.renderer()"), /^Canvas 2D: .* is software$/);
    const wrong = await openPage("/?renderer=vulkan");
    await until(wrong, `document.getElementById("trouble").textContent.includes('auto, gpu or cpu, not "vulkan"')`);
    // The console hears of it a little later.
    await live(wrong, 5);
    assert.match(wrong.problems.splice(0).join(), /auto, gpu or cpu/, "and nothing else is wrong");
  },

  async "a WebGPU that is incomplete or throws is left for Canvas 2D, and named"() {
    const broken = {
      "no GPUAdapter.info": "delete GPUAdapter.prototype.info",
      "no getPreferredCanvasFormat": "delete GPU.prototype.getPreferredCanvasFormat",
      "no requestAdapter": `Object.defineProperty(Navigator.prototype, "gpu", { value: {} })`,
      "does not answer": `{
        GPUAdapter.prototype.requestDevice = () => { throw new TypeError("thrown by a test"); };
        // Ten seconds pass at once.
        const wait = setTimeout;
        globalThis.setTimeout = (call, ms, ...rest) => wait(call, ms === 10_000 ? 100 : ms, ...rest);
      }`,
    };
    for (const [why, script] of Object.entries(broken)) {
      const page = await open("autopilot&seed=5&renderer=auto", `
        Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { value: false });
        ${script}`);
      assert.match(await page.evaluate("starship.renderer()"), new RegExp(`^Canvas 2D: .*${why}`));
      await until(page, "starship.tick() > 20");
      page.problems.splice(0);
      await page.close();
    }
    // An app that needs a card stops, and says why.
    const page = await openPage("/?renderer=gpu", { script: broken["no requestAdapter"] });
    await until(page, `document.getElementById("trouble").textContent.includes("no requestAdapter")`);
    page.problems.splice(0);
  },

  async "keys start and steer the game on a graphics card, at any size"() {
    const page = await open("seed=5&renderer=gpu");
    await until(page, "starship.tick() > 5");
    await page.keyboard.press("Enter");
    await until(page, `starship.mode() === "playing" && starship.tick() > 10`);
    const [x] = await page.evaluate("[...starship.ship()]");
    await page.keyboard.down("KeyD");
    await until(page, `starship.ship()[0] > ${x} + 2`);
    await page.keyboard.up("KeyD");
    await page.devtools.send("Emulation.setDeviceMetricsOverride", { width: 700, height: 500, deviceScaleFactor: 1, mobile: false });
    await until(page, `document.getElementById("game").width === 700`);
    const tick = await page.evaluate("starship.tick()");
    await until(page, `starship.tick() > ${tick + 10}`);
  },

  async "F2 saves what the graphics card has drawn, with its bloom"() {
    const light = [];
    for (const query of ["", "&bloom"]) {
      const page = await open(`autopilot&seed=5&renderer=gpu${query}`, HELD_FRAMES);
      await page.evaluate("runFrames(60)");
      const download = page.waitForEvent("download");
      await page.keyboard.press("F2");
      await page.evaluate("runFrames(1)");
      const saved = await download;
      assert.equal(saved.suggestedFilename(), "starship.png");
      const png = readFileSync(await saved.path()).toString("base64");
      light.push(await page.evaluate(async (png) => {
        const image = new Image();
        image.src = `data:image/png;base64,${png}`;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data.reduce((sum, channel) => sum + channel, 0) - image.width * image.height * 255;
      }, png));
    }
    console.log(`     light without and with bloom: ${light.join(", ")}`);
    assert.ok(light[1] > light[0] * 1.01, `bloom adds light: ${light}`);
  },

  async "a hidden tab stands still, and a game whose card is lost says why it stopped"() {
    const page = await open("autopilot&seed=5&renderer=gpu", `
      globalThis.devices = [];
      const requestDevice = GPUAdapter.prototype.requestDevice;
      GPUAdapter.prototype.requestDevice = async function (...options) {
        devices.push(await requestDevice.apply(this, options));
        return devices.at(-1);
      };`);
    await until(page, "starship.tick() > 30");
    const other = await openPage("/lab.html");
    await until(page, "document.hidden");
    const away = await page.evaluate("starship.tick()");
    await live(other, 60);
    assert.equal(await page.evaluate("starship.tick()"), away, "no ticks while hidden");
    await page.bringToFront();
    await until(page, `starship.tick() > ${away}`);
    await page.evaluate("GPU.prototype.requestAdapter = () => Promise.resolve(null), devices[0].destroy()");
    const trouble = "no graphics card to draw with: the browser offers no graphics card";
    await until(page, `document.getElementById("trouble").textContent.includes("${trouble}")`);
    assert.deepEqual(page.problems.splice(0), [trouble]);
  },
};

// A failure here is not retried: nothing depends on the speed of the machine.
await run(tests, { flags: SOFTWARE_GPU, attempts: 1 });
