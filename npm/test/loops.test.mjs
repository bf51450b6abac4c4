// The loops under callbacks that throw, stop and dispose, and under odd clocks.
import assert from "node:assert/strict";
import { test } from "node:test";

import { FixedTimeStep, init, MAX_ACCUM, MAX_STEPS_BASE, SIM_DT, StarshipLoop } from "../dist/node.js";
import { driven, steps } from "./driven.mjs";

await init();

test("a_throwing_step_reaches_the_caller_and_the_rest_of_the_ticks_runs_next", () => {
  let now = 0;
  const loop = new FixedTimeStep({ now: () => now });
  loop.start();
  let seen = 0;
  let updates = 0;
  const callbacks = {
    fixedUpdate: () => {
      if (++seen === 2) throw new Error("boom");
    },
    update: () => updates++,
  };
  now = 70; // Four steps.
  assert.throws(() => loop.tick(callbacks), /boom/);
  assert.deepEqual([seen, updates], [2, 0]);
  now = 70;
  loop.tick(callbacks);
  assert.deepEqual([seen, updates], [4, 1]);
  now = 87;
  loop.tick(callbacks);
  assert.equal(seen, 5);
});

test("a_step_that_always_throws_leaves_a_bounded_debt_that_is_reported", () => {
  let now = 0;
  const loop = new FixedTimeStep({ now: () => now });
  loop.start();
  for (let n = 0; n < 200; n++) {
    now += 83.4;
    assert.throws(() => loop.tick({ fixedUpdate: () => { throw new Error("always"); } }));
  }
  let steps = 0;
  loop.tick({ fixedUpdate: () => steps++ });
  assert.ok(steps <= 240 + 5, `${steps}`);
  assert.ok(loop.abandonedTicks > 0);
  assert.equal(loop.abandonedTicks + steps + 200, 1000);
});

test("a_game_loop_goes_on_after_exceptions_in_every_callback", () => {
  for (const broken of ["onFixedUpdate", "onRenderUpdate", "onLagSpike"]) {
    let throws = true;
    const { loop, host } = driven({
      [broken]: () => {
        if (throws) throw new Error(broken);
      },
    });
    if (broken === "onRenderUpdate") assert.throws(() => loop.start(), /onRenderUpdate/);
    else loop.start();
    assert.throws(() => host.frame(400), new RegExp(broken));
    throws = false;
    host.frame(417);
    assert.ok(host.log.length > 0);
    assert.ok(loop.isRunning && host.request, "the next frame is asked for");
    // All ticks of both frames have a number once.
    if (broken === "onRenderUpdate") assert.deepEqual(host.log.map(([, tick]) => tick), Array.from({ length: 16 }, (_, n) => n));
    loop.dispose();
  }
});

test("no_callback_runs_after_stop_even_in_the_same_frame", () => {
  for (const when of ["step", "draw", "dispose"]) {
    const { loop, host } = driven({
      onFixedUpdate: () => {
        host.log.push(["step"]);
        if (when === "step") loop.stop();
        if (when === "dispose") loop.dispose();
      },
      onRenderUpdate: () => {
        host.log.push(["draw"]);
        if (when === "draw" && host.now > 0) loop.stop();
      },
    });
    loop.start();
    host.log.length = 0;
    host.frame(100);
    assert.deepEqual(host.log.map(([what]) => what), when === "draw" ? [..."123456"].map(() => "step").concat("draw") : ["step"]);
    assert.equal(host.request, undefined, "no frame is asked for");
    assert.ok(!loop.isRunning);
  }
});

test("starting_twice_does_nothing_and_restarting_drops_the_time_between", () => {
  const { loop, host } = driven();
  loop.start();
  loop.start();
  assert.equal(host.requests, 1);
  host.frame(50);
  assert.equal(steps(host), 3);
  loop.stop();
  loop.stop();
  host.now = 10_000;
  loop.start();
  host.frame(10_017);
  assert.equal(steps(host), 4);
  assert.equal(loop.getStats().lagSpikes, 0);
});

test("a_stop_and_start_inside_a_callback_leave_one_loop", () => {
  const { loop, host } = driven({
    onFixedUpdate: () => {
      host.log.push(["step"]);
      if (host.log.length === 3) {
        loop.stop();
        loop.start();
      }
    },
  });
  loop.start();
  host.log.length = 0;
  host.frame(100);
  assert.ok(host.request && loop.isRunning);
  const requests = host.requests;
  host.frame(117);
  assert.equal(host.requests, requests + 1);
});

test("a_tab_hidden_for_an_hour_costs_a_quarter_of_a_second_or_nothing", () => {
  const spikes = [];
  const { loop, host } = driven({ onLagSpike: (missed) => spikes.push(missed) });
  loop.start();
  host.frame(3_600_000);
  assert.deepEqual([steps(host), spikes], [15, [216_000]]);
  host.frame(3_600_017);
  assert.equal(steps(host), 16);

  // With `ignoreHidden`, the page's own event decides.
  const page = new EventTarget();
  globalThis.document = page;
  const other = driven({ onLagSpike: (missed) => spikes.push(missed) }, { ignoreHidden: true });
  other.loop.start();
  other.host.frame(20);
  page.dispatchEvent(new Event("visibilitychange"));
  other.host.frame(3_600_000);
  assert.deepEqual([steps(other.host), spikes.length], [1, 1]);
  other.loop.stop();
  delete globalThis.document;

  let now = 0;
  const fixed = new FixedTimeStep({ now: () => now });
  fixed.start();
  now = 3_600_000;
  let ticks = 0;
  fixed.tick({ fixedUpdate: () => ticks++ });
  assert.equal(ticks, 5);

  const starship = new StarshipLoop({ stepSimulation: () => ticks++ });
  starship.gameLoopTick(16);
  starship.gameLoopTick(3_600_000);
  assert.deepEqual([starship.stepsThisFrame, starship.dt, starship.rawDt], [0, 0, 0]);
});

test("update_runs_once_per_tick_whatever_the_render_rate", () => {
  let now = 0;
  const loop = new FixedTimeStep(10, 60, { now: () => now });
  loop.start();
  let updates = 0;
  for (let n = 1; n <= 100; n++) {
    now = n * 7;
    loop.tick({ fixedUpdate() {}, update: () => updates++ });
  }
  assert.equal(updates, 100);
  assert.equal(FixedTimeStep.MaxFramesPerSecond, 60);
  assert.deepEqual([loop.framesPerSecond, loop.fixedFramesPerSecond], [10, 60]);
});

test("callbacks_get_seconds_in_a_game_loop_and_milliseconds_in_a_fixed_time_step", () => {
  const seen = {};
  const { loop, host } = driven({
    onFixedUpdate: (fixedDelta, now) => Object.assign(seen, { fixedDelta, now }),
    onRenderUpdate: (delta) => Object.assign(seen, { delta }),
  });
  loop.start();
  host.frame(20);
  assert.deepEqual(seen, { fixedDelta: 1 / 60, now: 0.02, delta: 0.02 });
  let now = 0;
  const fixed = new FixedTimeStep({ now: () => now });
  fixed.start();
  now = 20;
  fixed.tick({
    fixedUpdate: (fixedDelta) => assert.equal(fixedDelta, 1000 / 60),
    update: (interpolation, delta) => assert.equal(delta, 20),
  });
});

test("statistics_of_a_game_loop_are_measured", () => {
  const { loop, host } = driven({
    onFixedUpdate: () => (host.now += 2),
    onRenderUpdate: () => (host.now += 5),
  });
  loop.start();
  host.now = 0;
  host.frame(17);
  const { frameTime, physicsTime, renderTime, isInHitstop, timeScale } = loop.getStats();
  assert.deepEqual({ frameTime, physicsTime, renderTime, isInHitstop, timeScale }, {
    frameTime: 17, physicsTime: 2, renderTime: 5, isInHitstop: false, timeScale: 1,
  });
  loop.triggerHitstop();
  assert.deepEqual([loop.getStats().timeScale, loop.getStats().isInHitstop], [0.1, true]);
  loop.setTimeScale(-3);
  for (let n = 1; n <= 60; n++) host.frame(17 + n * 20);
  assert.deepEqual([loop.getStats().timeScale, loop.getStats().fps], [0, 50]);
});

test("a_paused_game_loop_is_drawn_and_steps_by_hand", () => {
  const { loop, host } = driven();
  loop.start();
  loop.pause();
  assert.ok(loop.isPaused);
  host.frame(100);
  assert.deepEqual(host.log.map(([what]) => what), ["draw", "draw"]);
  loop.step(2);
  host.frame(117);
  assert.equal(steps(host), 2);
  loop.resume();
  host.frame(134);
  assert.equal(steps(host), 3);
});

test("a_huge_number_of_steps_by_hand_runs_until_it_is_stopped", () => {
  let calls = 0;
  const { loop, host } = driven({
    onFixedUpdate: () => {
      if (++calls === 1000) loop.stop();
    },
  });
  loop.start();
  loop.pause();
  loop.step(4_294_967_295);
  host.frame(17);
  assert.equal(calls, 1000);
  loop.resume();
  loop.start();
  host.now = 17;
  for (let n = 1; n <= 60; n++) host.frame(17 + n * 17);
  assert.equal(calls, 1000 + Math.floor((60 * 17 * 60) / 1000));
});

test("the_starship_loop_publishes_its_frame_state_and_keeps_its_channels", () => {
  assert.deepEqual([SIM_DT, MAX_STEPS_BASE, MAX_ACCUM], [1 / 60, 4, 0.25]);
  let steps = 0;
  let dropped = 0;
  let games = 0;
  const loop = new StarshipLoop({
    stepSimulation: (simDt) => (assert.equal(simDt, SIM_DT), steps++),
    onTimeDropped: () => dropped++,
    onNewGame: () => games++,
  });
  // The first synthetic frame is measured against frame 0.
  loop.gameLoopTick(20);
  assert.deepEqual([loop.stepsThisFrame, loop.dt, loop.rawDt, loop.simFrame], [1, SIM_DT, 0.02, 1]);
  assert.deepEqual([loop.wallTime, loop.uiTime], [20, 0.02]);
  loop.gameLoopTick(70);
  assert.equal(loop.rawDt, 0.033);
  loop.gameLoopTick(1000);
  assert.deepEqual([loop.stepsThisFrame, dropped], [0, 1]);
  loop.timeDilation = 2;
  loop.levelSpeedMult = 0.5;
  loop.juiceDilation = -4;
  assert.deepEqual([loop.simRate, loop.juiceDilation], [0.1, -4]);
  loop.juiceDilation = 9;
  assert.equal(loop.simRate, 1);
  loop.testSpeedMult = 4;
  loop.hitFreezeTimer = 0.02;
  loop.invertScreenTimer = 0.05;
  loop.gameLoopTick(1016);
  assert.deepEqual([loop.stepsThisFrame, loop.rawDt, loop.hitFreezeTimer], [0, 0.016, 0.004]);
  assert.equal(loop.invertScreenTimer.toFixed(9), "0.034000000");
  loop.gameLoopTick(1032);
  assert.equal(loop.timeDilation, 4);
  loop.phase = "menu";
  const wall = loop.wallTime;
  loop.gameLoopTick(1048);
  assert.deepEqual([loop.stepsThisFrame, loop.wallTime, loop.phase], [0, wall, "menu"]);
  loop.startNewGame(1048);
  assert.deepEqual([games, loop.phase, loop.simFrame, loop.wallTime, loop.timeDilation], [1, "playing", 0, 0, 1]);
  loop.gameLoopTick(1065);
  assert.equal(loop.simFrame, 1);
  loop.resetFrameTiming();
  loop.gameLoopTick(17);
  assert.equal(loop.simFrame, 2);
});
