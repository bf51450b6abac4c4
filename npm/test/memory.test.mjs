// Frames make no garbage, and forgotten pacers are freed.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { FixedTimeStep, GameLoop, init, InputLatch, Pacer, StarshipLoop } from "../dist/node.js";
import { running } from "../dist/wasm.js";

await init();
const { wasm } = running;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

const FRAMES = 100_000;
const used = () => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** Heap used after 100,000 frames minus before, and what was allocated on the way if nothing was collected. */
function growth(frame) {
  for (let n = 0; n < FRAMES; n++) frame(n * 7);
  const before = used();
  for (let n = FRAMES; n < 2 * FRAMES; n++) frame(n * 7);
  return used() - before;
}

test("a_hundred_thousand_frames_leave_the_heap_flat", () => {
  let now = 0;
  let request;
  let sum = 0;
  const pacer = new Pacer();
  const fixed = new FixedTimeStep({ now: () => now });
  fixed.start();
  const callbacks = { fixedUpdate: () => sum++, update: (alpha) => (sum += alpha) };
  const starship = new StarshipLoop({ stepSimulation: () => sum++ });
  const input = new InputLatch();
  const game = new GameLoop(
    {
      onFixedUpdate: () => {
        while (game.takeInput()) sum++;
      },
      onRenderUpdate: (_delta, alpha) => (sum += alpha),
    },
    1 / 60,
    { input, now: () => now, requestFrame: (frame) => ((request = frame), 1), cancelFrame() {} },
  );
  game.start();
  const event = { code: "KeyA" };
  const loops = {
    pacer: (at) => {
      const plan = pacer.frame(at);
      sum += plan.steps + plan.alpha + plan.rawDt;
      pacer.stepsDone(at + 1);
      pacer.drawDone(at + 2);
    },
    fixed: (at) => {
      now = at;
      fixed.tick(callbacks);
    },
    starship: (at) => starship.gameLoopTick(at),
    game: (at) => {
      now = at;
      input.push(at, event);
      request(at);
    },
  };
  for (const [name, frame] of Object.entries(loops)) {
    const bytes = growth(frame);
    assert.ok(bytes < 20_000, `${name}: ${bytes} bytes more after ${FRAMES} frames`);
  }
});

test("disposed_pacers_and_latches_are_used_again", () => {
  new Pacer().dispose();
  new InputLatch().dispose();
  const before = wasm.memory.buffer.byteLength;
  for (let n = 0; n < 100_000; n++) {
    new Pacer().dispose();
    new InputLatch().dispose();
  }
  assert.equal(wasm.memory.buffer.byteLength, before);
});

test("forgotten_pacers_are_freed_with_their_owners", async () => {
  const round = async () => {
    for (let n = 0; n < 2_000; n++) new GameLoop({ onFixedUpdate() {}, onRenderUpdate() {} });
    collect();
    // Finalizers run in a task of their own.
    await sleep(0);
  };
  // Until the memory of the first rounds is given back, which may take a few collections.
  await round();
  await round();
  const before = wasm.memory.buffer.byteLength;
  for (let n = 0; n < 20; n++) await round();
  assert.ok(wasm.memory.buffer.byteLength <= 2 * before, `${before} to ${wasm.memory.buffer.byteLength} bytes`);
  // Without this, 44,000 slots of three kilobytes would be there.
  assert.ok(wasm.memory.buffer.byteLength < 44_000 * 1_000);
});
