// The packed package in Chromium: without a bundler, inlined, in a worker, from Vite and webpack, and the examples.
//
// Run: node test/browser/prepare.mjs && node test/browser/test.mjs --server test/browser/serve.mjs --site .test
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import { createServer } from "vite";

import { live, open, run, until } from "../../../tools/browser/harness.mjs";
import * as node from "../../dist/node.js";
import { digest } from "./digest.js";

await node.init();
const expected = digest(node);

run({
  async a_page_without_a_bundler_decides_as_node_does_and_loops_on() {
    const page = await open("/plain.html");
    await until(page, "globalThis.log?.frames > 30");
    assert.equal(await page.evaluate("digested"), expected);
    const { steps, frames } = await page.evaluate("log");
    assert.ok(steps > 15 && steps <= 2 * frames, `${steps} steps in ${frames} frames`);
    assert.ok((await page.evaluate("loop.getStats()")).frameTime > 0);
  },

  async the_page_of_the_read_me_works_as_it_is() {
    const page = await open("/installed/readme.html");
    // The square is where it has been drawn, and it moves on. Read from a copy: reading the page's own canvas slows it down.
    await page.evaluate(`{
      const copy = new OffscreenCanvas(640, 200).getContext("2d", { willReadFrequently: true });
      globalThis.left = () => {
        copy.clearRect(0, 0, 640, 200);
        copy.drawImage(document.querySelector("#view"), 0, 0);
        return copy.getImageData(0, 100, 640, 1).data.findIndex((byte) => byte > 0);
      };
    }`);
    const left = "left()";
    await until(page, `${left} > 0`);
    const before = await page.evaluate(left);
    await until(page, `Math.abs(${left} - ${before}) > 40`);
  },

  async a_key_reaches_one_step_and_detaching_ends_it() {
    const page = await open("/plain.html");
    await until(page, "globalThis.log?.frames > 5");
    await page.keyboard.press("KeyA");
    await until(page, "log.keys.length >= 2");
    await page.evaluate("detach()");
    await page.keyboard.press("KeyB");
    await live(page, 10);
    assert.deepEqual(await page.evaluate("log.keys"), ["down KeyA", "up KeyA"]);
  },

  async an_exception_is_an_error_of_the_page_and_the_loop_goes_on() {
    const page = await open("/plain.html");
    await until(page, "globalThis.log?.frames > 5");
    await page.evaluate("log.throw = true");
    await until(page, "log.steps > 40");
    await page.evaluate("log.throw = false; log.frames = 0");
    await until(page, "log.frames > 10");
    const problems = page.problems.splice(0);
    assert.ok(problems.length > 3 && problems.every((problem) => problem.includes("asked for at step")), `${problems}`);
    assert.equal(await page.evaluate("loop.abandonedTicks"), 0);
  },

  async stopping_ends_the_frames() {
    const page = await open("/plain.html");
    await until(page, "globalThis.log?.frames > 5");
    const frames = await page.evaluate("loop.stop(), log.frames");
    await live(page, 20);
    assert.equal(await page.evaluate("log.frames"), frames);
  },

  async a_hidden_page_comes_back_with_at_most_a_quarter_of_a_second() {
    const page = await open("/plain.html");
    await until(page, "globalThis.log?.frames > 5");
    const other = await open("/inline.html");
    await until(page, "document.hidden");
    const steps = await page.evaluate("log.steps");
    // A second without frames, on the other page's clock, which is visible.
    await until(other, "(globalThis.since ??= performance.now(), performance.now() - since > 1000)");
    await page.evaluate("log.frames = 0");
    await page.bringToFront();
    await until(page, "log.frames > 2");
    const { steps: after, frames } = await page.evaluate("log");
    assert.ok(after - steps <= 15 + 3 * frames, `${after - steps} steps in ${frames} frames`);
    assert.equal(await page.evaluate("loop.getStats().lagSpikes >= 1"), true);
  },

  async the_inlined_module_needs_no_await_and_copies_do_not_meet() {
    const page = await open("/inline.html");
    await until(page, "globalThis.result");
    const { digests, steps, explained, refused } = await page.evaluate("result");
    assert.deepEqual(digests, [expected, expected]);
    assert.deepEqual(steps, [1, 1]);
    assert.match(explained, /^1 step: /);
    assert.match(refused, /explain\(\) is in the full module: .*init\(\{ full: true \}\)/);
  },

  async a_worker_loads_the_full_module_and_runs_a_loop() {
    const page = await open("/worker.html");
    await until(page, "globalThis.result");
    const { digested, steps, balanced, error } = await page.evaluate("result");
    assert.equal(error, undefined);
    assert.equal(digested, expected);
    assert.ok(steps >= 10 && balanced);
  },

  async a_vite_build_finds_the_module() {
    const page = await open("/vite/");
    await until(page, "globalThis.steps > 10");
    assert.equal(await page.evaluate("digested"), expected);
  },

  async vites_development_server_gets_the_module_inside_the_code() {
    const server = await createServer({ root: fileURLToPath(new URL("../../.test/installed/bundle", import.meta.url)), logLevel: "error" });
    await server.listen();
    try {
      const page = await open("/inline.html");
      await page.goto(server.resolvedUrls.local[0]);
      await until(page, "globalThis.steps > 10");
      assert.equal(await page.evaluate("digested"), expected);
      // It has no icon.
      page.problems = page.problems.filter((problem) => !problem.includes("404"));
    } finally {
      await server.close();
    }
  },

  async a_webpack_build_finds_the_module() {
    const page = await open("/webpack/");
    await until(page, "globalThis.steps > 10");
    assert.equal(await page.evaluate("digested"), expected);
  },

  async a_wrong_address_is_an_error_that_names_it_and_the_fix() {
    const page = await open("/worker.html");
    const message = await page.evaluate(`import("/installed/node_modules/evenstep/dist/index.js")
      .then(({ init }) => init("/nowhere.wasm")).catch((error) => error.message)`);
    assert.match(message, /nowhere\.wasm is not the wasm module \(status 404\)\. Import from "evenstep\/inline"/);
    // The network's own line in the console.
    page.problems.length = 0;
    const works = await page.evaluate(`import("/installed/node_modules/evenstep/dist/index.js")
      .then(({ init, isReady }) => init().then(isReady))`);
    assert.equal(works, true);
  },

  async the_plain_example_moves_with_the_keys() {
    const page = await open("/examples/plain/");
    await until(page, "globalThis.example?.loop.pacer.tick > 20");
    const before = await page.evaluate("example.ship.current");
    await page.keyboard.down("ArrowRight");
    await until(page, `example.ship.current > ${before} + 20`);
    await page.keyboard.up("ArrowRight");
    assert.ok((await page.locator("canvas").screenshot()).length > 500);
  },

  async the_three_js_example_draws_and_turns() {
    const page = await open("/examples/three/");
    await until(page, "globalThis.example?.loop.pacer.tick > 30");
    assert.ok(await page.evaluate("Math.abs(example.angle.current) > 0.1"));
    assert.ok(await page.evaluate("example.drawn > 5"));
    page.problems = page.problems.filter((problem) => !/GPU stall|software WebGL|GL Driver Message|swiftshader/i.test(problem));
  },

  async the_pixijs_example_draws_and_moves() {
    const page = await open("/examples/pixi/");
    await until(page, "globalThis.example?.loop.pacer.tick > 30");
    assert.ok(await page.evaluate("example.drawn > 5 && example.x.current !== 0"));
    page.problems = page.problems.filter((problem) => !/GPU stall|software WebGL|GL Driver Message|swiftshader/i.test(problem));
  },
});
