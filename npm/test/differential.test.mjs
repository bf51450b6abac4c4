// The drop-ins beside the loops that they replace, on random traces.
//
// Documented differences (see README.md):
// 1. Time is a float there, and whole nanoseconds here. On an exact tie a step may come one frame earlier or later.
// 2. @jolly-pixel/engine counts a gap above one second as one interval. Its manual says five at most, and so do we.
// 3. mainloop.js has no limit but 240 steps in a frame; our GameLoop cuts a frame at 0.25 s.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import { FixedTimeStep as Jolly } from "@jolly-pixel/engine/dist/systems/FixedTimeStep.js";
import { FixedTimeStep, init, Pacer } from "../dist/node.js";
import { generator, timestamps } from "./random.mjs";

await init();

/** In milliseconds: far above the error of a sum of a thousand floats, and far below anything that a player could see. */
const TOLERANCE = 1e-4;

/**
 * Asserts that two loops are at the same game time. The sum of simulated and pending time is the same on ties, too: a step
 * that comes a frame later has been pending until then.
 */
function assertSame(theirs, ours, where) {
  assert.ok(Math.abs(theirs - ours) < TOLERANCE, `${where}: theirs is at ${theirs} ms, ours at ${ours} ms`);
}

function withClock(clock, act) {
  const real = performance.now;
  performance.now = clock;
  try {
    return act();
  } finally {
    performance.now = real;
  }
}

test("fixed_time_step_is_where_jolly_pixels_is", () => {
  let cuts = 0;
  let frames = 0;
  for (let seed = 0; seed < 400; seed++) {
    const random = generator(seed);
    let now = 100;
    // Both read `performance.now` when they are called, not when they are imported.
    withClock(() => now, () => {
      const [theirs, ours] = [new Jolly(), new FixedTimeStep()];
      const blank = () => ({ time: 0, steps: 0, alpha: 0, delta: 0, updates: 0, fixedDelta: 1000 / 60 });
      const at = { theirs: blank(), ours: blank() };
      const callbacks = (of) => ({
        fixedUpdate: (fixedDelta) => {
          of.steps++;
          of.time += fixedDelta;
        },
        update: (alpha, delta) => Object.assign(of, { alpha, delta, updates: of.updates + 1 }),
      });
      let hasChanged = false;
      const restart = () => {
        for (const loop of [theirs, ours]) loop.start();
        at.theirs.time = at.ours.time = 0;
        hasChanged = false;
      };
      const [call, callOurs] = [callbacks(at.theirs), callbacks(at.ours)];
      theirs.start();
      ours.start();
      let offset = 0;
      for (const time of timestamps(random, 250, { start: 100, gaps: false })) {
        now = time + offset;
        // Gaps that both limit to five intervals; above a second see the next test.
        if (random.below(100) === 0) offset += random.among([90, 300, 900]);
        if (random.below(60) === 0) {
          const rates = [1 + random.below(80), random.among([undefined, 1 + random.below(80)])];
          theirs.setFps(...rates);
          ours.setFps(...rates);
          hasChanged = true;
          assert.equal(ours.framesPerSecond, theirs.framesPerSecond);
          assert.equal(ours.fixedFramesPerSecond, theirs.fixedFramesPerSecond);
        }
        if (random.below(200) === 0) restart();
        if (random.below(200) === 0) {
          for (const loop of [theirs, ours]) loop.stop();
          theirs.tick(call);
          ours.tick(callOurs);
          restart();
        }
        at.theirs.steps = at.ours.steps = 0;
        theirs.tick(call);
        ours.tick(callOurs);
        frames++;
        const where = `seed ${seed}, ${now} ms`;
        const interval = 1000 / theirs.fixedFramesPerSecond;
        const pending = { theirs: at.theirs.alpha * interval, ours: at.ours.alpha * interval };
        if ([at.theirs, at.ours].some(({ steps, alpha }) => Math.abs(steps + alpha - 5) < 1e-9)) {
          // Cut to five intervals. If one of the loops was just before a tie, they have lost different amounts: up to a step.
          const apart = at.theirs.time + pending.theirs - at.ours.time - pending.ours;
          assert.ok(Math.abs(apart) < interval + TOLERANCE, where);
          at.ours.time += apart;
          hasChanged = true;
          cuts++;
        }
        assertSame(at.theirs.time + pending.theirs, at.ours.time + pending.ours, where);
        // The same steps, except on a tie: there one loop has just stepped, and the other is about to.
        const apart = Math.abs(at.theirs.time - at.ours.time);
        const isTie = pending.theirs + pending.ours > interval - TOLERANCE && Math.min(pending.theirs, pending.ours) < TOLERANCE;
        // A change of rate during a tie leaves a step of the old length in one loop and one of the new in the other.
        assert.ok(hasChanged || apart < TOLERANCE || (isTie && apart < interval + TOLERANCE), `${where}: ${apart} ms apart`);
        assert.equal(at.ours.updates, at.theirs.updates, where);
        assert.ok(Math.abs(at.ours.delta - at.theirs.delta) < 1e-5, where);
      }
      ours.dispose();
    });
  }
  assert.ok(frames === 100_000 && cuts > 500, `${cuts} cuts in ${frames} frames`);
});

test("after_more_than_a_second_jolly_pixels_runs_one_step_and_ours_five_as_the_manual_says", () => {
  let now = 0;
  withClock(() => now, () => {
    const steps = [new Jolly(), new FixedTimeStep()].map((loop) => {
      let steps = 0;
      now = 0;
      loop.start();
      now = 3_600_000;
      loop.tick({ fixedUpdate: () => steps++ });
      return steps;
    });
    assert.deepEqual(steps, [1, 5]);
  });
});

test("a_pacer_without_limits_is_where_mainloop_js_is", () => {
  // mainloop.js is one loop for the whole program, which takes `requestAnimationFrame` from the window once.
  let request;
  globalThis.window = { requestAnimationFrame: (frame) => ((request = frame), 1), cancelAnimationFrame() {} };
  const MainLoop = createRequire(import.meta.url)("mainloop.js");
  delete globalThis.window;
  for (let seed = 0; seed < 200; seed++) {
    const random = generator(seed);
    const rate = random.among([60, 50, 30, 120]);
    const theirs = { steps: 0, alpha: 0 };
    MainLoop.resetFrameDelta();
    MainLoop.setSimulationTimestep(1000 / rate)
      .setUpdate(() => theirs.steps++)
      .setDraw((alpha) => (theirs.alpha = alpha))
      .start();
    request(1000);
    const ours = new Pacer({ profile: "game-loop", rate, longestFrame: null });
    ours.resetFrameTiming(1000);
    let offset = 0;
    for (const time of timestamps(random, 250, { start: 1000, gaps: false })) {
      // Below the 240 steps at which mainloop.js gives up.
      if (random.below(100) === 0) offset += random.among([90, 300, 900, 1900]);
      request(time + offset);
      const plan = ours.frame(time + offset);
      const interval = 1000 / rate;
      const ourTime = (plan.firstTick + plan.steps + plan.alpha) * interval;
      assertSame((theirs.steps + theirs.alpha) * interval, ourTime, `seed ${seed}, ${time} ms`);
    }
    MainLoop.stop();
    ours.dispose();
  }
});
