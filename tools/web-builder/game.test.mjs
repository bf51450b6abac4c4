// Tests the page of a game that was built with --game, in a real browser. `cargo xtask test` runs it; to run it on its own:
//
//   cargo xtask web --game examples/pong --build-only
//   node tools/web-builder/game.test.mjs --server target/web-tool/debug/web-builder --site examples/pong/target/web/site
import assert from "node:assert/strict";
import { open, run, shoot, until } from "../browser/harness.mjs";

/** Finds the top and the bottom of the left paddle, in pixels of the canvas. The field is 800 units wide and 450 high. */
const PADDLE = `globalThis.paddle = () => {
  const game = document.getElementById("game");
  const { width, height } = game;
  const zoom = Math.min(width / 800, height / 450);
  // The column through the paddle, on a canvas that is made for reading.
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(game, Math.round((width - 800 * zoom) / 2 + 40 * zoom), 0, 1, height, 0, 0, 1, height);
  const column = context.getImageData(0, 0, 1, height).data;
  const white = Array.from({ length: height }, (_, y) => y).filter((y) => column[4 * y] > 200);
  return [white[0], white.at(-1), zoom];
}`;

const tests = {
  async "Pong is drawn, and a key moves its paddle"() {
    const page = await open("/", { script: PADDLE });
    await until(page, "paddle()[0] > 0");
    const [top, bottom, zoom] = await page.evaluate("paddle()");
    assert.ok(Math.abs(bottom - top - 90 * zoom) < 3, `a paddle from ${top} to ${bottom}, at a zoom of ${zoom}`);
    await shoot(page, "pong");
    await page.keyboard.down("KeyW");
    await until(page, `paddle()[0] < ${top - 50 * zoom}`);
    await page.keyboard.up("KeyW");
    await page.keyboard.down("ArrowDown");
    await until(page, `paddle()[0] > ${top + 50 * zoom}`);
  },
};

await run(tests);
