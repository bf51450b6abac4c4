// The loops under callbacks that throw, stop and dispose, odd arguments and odd clocks.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  FixedTimeStep, GameLoop, init, InputLatch, Interpolated, LATCH_CAPACITY, lerp, lerpAngle, listenKeys, listenPointer, MAX_ACCUM,
  MAX_STEPS_BASE, Pacer, ServerTick, SIM_DT, StarshipLoop, Trace,
} from "../dist/node.js";

await init();

/** A `GameLoop` on a clock that the test moves. */
function driven(callbacks, options = {}) {
  const host = { now: 0, request: undefined, requests: 0, log: [] };
  const loop = new GameLoop(
    {
      onFixedUpdate: (fixedDelta, now, tick) => host.log.push(["step", tick]),
      onRenderUpdate: (delta, interpolation) => host.log.push(["draw", interpolation]),
      ...callbacks,
    },
    1 / 60,
    {
      now: () => host.now,
      requestFrame: (frame) => ((host.request = frame), ++host.requests),
      cancelFrame: () => (host.request = undefined),
      ...options,
    },
  );
  host.frame = (now) => {
    host.now = now;
    const { request } = host;
    host.request = undefined;
    request(now);
  };
  return { loop, host };
}

const steps = (host) => host.log.filter(([what]) => what === "step").length;

test("bad_arguments_throw_and_the_message_names_the_value", () => {
  const pacer = new Pacer();
  const loop = new GameLoop({ onFixedUpdate() {}, onRenderUpdate() {} });
  const starship = new StarshipLoop({ stepSimulation() {} });
  const fixed = new FixedTimeStep();
  const cases = [
    [() => new Pacer({ rate: NaN }), RangeError, /rate .*NaN/],
    [() => new Pacer({ rate: "60" }), TypeError, /rate .*"60"/],
    [() => new Pacer({ rate: -1 }), RangeError, /rate .*-1/],
    [() => new Pacer({ rate: 1e9 }), RangeError, /rate .*1000000000/],
    [() => new Pacer({ rate: [60, 0] }), RangeError, /rate .*60,0/],
    [() => new Pacer({ rate: [60.5, 1] }), RangeError, /rate\[0\] .*60.5/],
    [() => new Pacer({ stall: -5 }), RangeError, /stall .*-5/],
    [() => new Pacer({ stepsMax: 1.5 }), RangeError, /stepsMax .*1.5/],
    [() => new Pacer({ startPhase: 1 }), RangeError, /startPhase .*1/],
    [() => new Pacer({ displayLock: "on" }), RangeError, /displayLock .*"on"/],
    [() => new Pacer({ profile: "phaser" }), RangeError, /profile .*"phaser"/],
    [() => new Pacer({ channels: { juice: { min: 2, max: 1, resting: 1 } } }), RangeError, /juice .*"min":2/],
    [() => pacer.hitstop(-3, 0.1), RangeError, /steps .*-3/],
    [() => pacer.hitstop(2.5, 0.1), RangeError, /steps .*2.5/],
    [() => pacer.hitstop(3, NaN), RangeError, /intensity .*NaN/],
    [() => pacer.hitFreeze(-1), RangeError, /wallTime .*-1/],
    [() => pacer.setScale("juice", Infinity), RangeError, /scale .*Infinity/],
    [() => pacer.setScale("jus", 1), RangeError, /channel .*"jus"/],
    [() => (pacer.gate = "shut"), RangeError, /gate .*"shut"/],
    [() => (pacer.tick = -1), RangeError, /tick .*-1/],
    [() => pacer.fastForward(2 ** 32), RangeError, /ticks .*4294967296/],
    [() => pacer.resetFrameTiming(NaN), RangeError, /lastFrame .*NaN/],
    [() => pacer.setFps(60, "x"), TypeError, /fixed .*"x"/],
    [() => Pacer.restore(new Uint8Array(9)), RangeError, /9 bytes/],
    [() => Pacer.restore(new Uint8Array(2048)), RangeError, /another format/],
    [() => loop.triggerHitstop(-1), RangeError, /frames .*-1/],
    [() => loop.setTimeScale(NaN), RangeError, /scale .*NaN/],
    [() => new GameLoop({ onFixedUpdate() {}, onRenderUpdate() {} }, 0), RangeError, /fixedTimestep .*0/],
    [() => new GameLoop({ onFixedUpdate() {} }), TypeError, /onRenderUpdate .*undefined/],
    [() => fixed.setFps(NaN), RangeError, /fps .*NaN/],
    [() => (fixed.start(), fixed.tick({})), TypeError, /fixedUpdate .*undefined/],
    [() => (starship.phase = "won"), RangeError, /phase .*"won"/],
    [() => (starship.hitFreezeTimer = -1), RangeError, /hitFreezeTimer .*-1/],
    [() => new InputLatch("later"), RangeError, /latching .*"later"/],
    [() => new InputLatch().push(NaN, 1), RangeError, /at .*NaN/],
    [() => new InputLatch().push(0, undefined), TypeError, /undefined/],
    [() => new InputLatch().push(1n, "a"), TypeError, /at .*BigInt 1n/],
    [() => new InputLatch().sync(1n), TypeError, /now .*BigInt 1n/],
    [() => new InputLatch().takeUntil(NaN), RangeError, /instant .*NaN/],
    [() => new InputLatch().takeUntil("5"), TypeError, /instant .*"5"/],
    [() => new InputLatch().take(pacer.plan, 1n), TypeError, /tick .*BigInt 1n/],
    [() => pacer.stepsDone(1n), TypeError, /now .*BigInt 1n/],
    [() => pacer.drawDone("1"), TypeError, /now .*"1"/],
    [() => pacer.frame(20n), TypeError, /now .*BigInt 20n/],
    [() => pacer.frame("20"), TypeError, /now .*"20"/],
    [() => pacer.frame({}), TypeError, /now .*an object/],
    [() => pacer.plan.droppedBy("foo"), RangeError, /reason .*"foo"/],
    [() => pacer.plan.tickEnd(NaN), RangeError, /tick .*NaN/],
    [() => pacer.frameTime(7), RangeError, /share .*7/],
    [() => new Pacer(30), TypeError, /options .*\{ rate: 60 \}.* 30/],
    [() => new Pacer(null), TypeError, /options .*null/],
    [() => new Pacer([60, 1]), TypeError, /options .*an array/],
    [() => new Pacer({ rate: null }), TypeError, /rate .*null/],
    [() => new Pacer({ channels: { juice: { min: 0, max: 1n, resting: 1 } } }), TypeError, /juice\.max .*BigInt 1n/],
    [() => pacer.configure({ rate: null }), TypeError, /rate .*null/],
    [() => pacer.configure(30), TypeError, /options .*30/],
    [() => Pacer.restore(), TypeError, /bytes .*Uint8Array/],
    [() => new FixedTimeStep(null), TypeError, /options .*null/],
    [() => fixed.tick(), TypeError, /callbacks .*undefined/],
    [() => new GameLoop(), TypeError, /callbacks .*undefined/],
    [() => new GameLoop({ onFixedUpdate() {}, onRenderUpdate() {}, onLagSpike: 5 }), TypeError, /onLagSpike .*5/],
    [() => new GameLoop({ onFixedUpdate() {}, onRenderUpdate() {} }, 1 / 60, { now: 5 }), TypeError, /now .*5/],
    [() => new GameLoop({ onFixedUpdate() {}, onRenderUpdate() {} }, 1 / 60, { requestFrame: "x" }), TypeError, /requestFrame .*"x"/],
    [() => new StarshipLoop({ stepSimulation() {}, onNewGame: 1 }), TypeError, /onNewGame .*1/],
    [() => new ServerTick(() => {}, { onError: 5 }), TypeError, /onError .*5/],
    [() => new ServerTick(() => {}, { now: 3 }), TypeError, /now .*3/],
    [() => new ServerTick(() => {}, { setTimer: 4 }), TypeError, /setTimer .*4/],
    [() => new ServerTick(() => {}, 20), TypeError, /options .*20/],
    [() => new Trace("x"), TypeError, /framesMax .*"x"/],
  ];
  for (const [act, type, message] of cases) {
    assert.throws(act, (error) => error.constructor === type && message.test(error.message), `${act}`);
  }
  // Nothing of it has changed anything.
  pacer.frame(0);
  assert.equal(pacer.frame(17).steps, 1);
});

test("timestamps_that_are_not_finite_are_skipped_or_refused_and_cost_no_time", () => {
  const pacer = new Pacer({ profile: "game-loop" });
  pacer.frame(1000);
  for (const now of [NaN, Infinity, -Infinity]) assert.equal(pacer.frame(now).outcome, "skipped");
  for (const now of [undefined, "soon", "1040", 1040n, null]) assert.throws(() => pacer.frame(now), TypeError);
  assert.equal(pacer.frame(1050).steps, 3);
  assert.equal(pacer.stats.skippedFrames, 3);
  assert.equal(pacer.frame(-7).steps, 0);
});

test("a_plan_is_one_object_and_pacers_do_not_share_it", () => {
  const [a, b] = [new Pacer({ profile: "game-loop" }), new Pacer({ profile: "game-loop", rate: 30 })];
  const plan = a.frame(0);
  b.frame(0);
  a.frame(100);
  b.frame(200);
  assert.equal(a.frame(100), plan);
  assert.equal(plan.steps, 0);
  assert.equal(a.frame(200).steps, 6);
  assert.equal(b.plan.steps, 6);
  assert.equal(plan.firstTick, 6);
});

test("plans_survive_growing_memory_which_detaches_every_view", () => {
  const first = new Pacer({ profile: "game-loop" });
  first.frame(0);
  const plan = first.frame(40);
  const many = Array.from({ length: 500 }, () => new Pacer());
  const latches = Array.from({ length: 100 }, () => new InputLatch());
  assert.equal(plan.steps, 2);
  assert.equal(plan.alpha, 0.4);
  assert.equal(first.frame(57).steps, 1);
  for (const [n, pacer] of many.entries()) {
    pacer.frame(n);
    assert.equal(pacer.frame(n + 17).steps, 1);
    assert.match(pacer.explain(), /^1 step: /);
  }
  for (const thing of [...many, ...latches]) thing.dispose();
});

test("disposing_twice_is_fine_and_using_afterwards_throws", () => {
  const pacer = new Pacer();
  const { plan } = pacer;
  pacer.dispose();
  pacer.dispose();
  const other = new Pacer(); // It gets the same memory.
  assert.throws(() => pacer.frame(0), /disposed/);
  assert.throws(() => plan.steps, /disposed/);
  assert.throws(() => pacer.stats, /disposed/);
  assert.throws(() => pacer.hitstop(1, 0), /disposed/);
  pacer[Symbol.dispose]();
  assert.equal(other.frame(0).steps, 0);
  const latch = new InputLatch();
  latch.push(0, "a");
  latch.dispose();
  latch.dispose();
  assert.throws(() => latch.push(0, "b"), /disposed/);
  const loop = new FixedTimeStep();
  loop.dispose();
  loop.dispose();
  loop.tick({ fixedUpdate() {} });
  assert.throws(() => loop.start(), /disposed/);
});

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

test("every_event_reaches_exactly_one_tick", () => {
  const input = new InputLatch();
  const taken = [];
  const { loop, host } = driven(
    {
      onFixedUpdate: (_delta, _now, tick) => {
        for (let event; (event = loop.takeInput()) !== undefined; ) taken.push([tick, event]);
      },
    },
    { input },
  );
  assert.equal(loop.takeInput(), undefined);
  loop.start();
  input.push(3, "press");
  input.push(5, "release");
  input.push(40, "press");
  host.frame(8);
  assert.deepEqual(taken, []);
  host.frame(52);
  assert.deepEqual(taken, [[0, "press"], [0, "release"], [2, "press"]]);
  // A clock that is set back takes waiting events along.
  input.push(58, "late");
  host.frame(20);
  host.frame(40);
  host.frame(60);
  assert.equal(taken.length, 4);
  for (let n = 0; n < LATCH_CAPACITY; n++) assert.ok(input.push(61, n));
  assert.ok(!input.push(61, "too many"));
  assert.equal(input.length, LATCH_CAPACITY);
  host.frame(100);
  assert.deepEqual(taken.slice(4).map(([, event]) => event), Array.from({ length: LATCH_CAPACITY }, (_, n) => n));
  input.push(1, "x");
  input.clear();
  assert.equal(input.takeUntil(1e9), undefined);
});

test("a_frame_that_is_skipped_moves_no_input", () => {
  const taken = (bad) => {
    const input = new InputLatch();
    const got = [];
    const { loop, host } = driven(
      {
        onFixedUpdate: (_delta, _now, tick) => {
          for (let event; (event = loop.takeInput()); ) got.push([tick, event]);
        },
      },
      { input },
    );
    loop.start();
    host.frame(17);
    input.push(40, "at 40");
    input.push(100, "at 100");
    for (const now of bad) {
      const { request } = host;
      request(now);
    }
    for (let n = 2; n < 12; n++) host.frame(17 * n);
    return got;
  };
  assert.deepEqual(taken([]), [[2, "at 40"], [5, "at 100"]]);
  assert.deepEqual(taken([NaN, Infinity, -Infinity]), taken([]));
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

test("keys_are_attached_without_repeats_and_released_with_the_focus_and_on_detaching", () => {
  const target = new EventTarget();
  globalThis.addEventListener ??= EventTarget.prototype.addEventListener.bind(target);
  globalThis.removeEventListener ??= EventTarget.prototype.removeEventListener.bind(target);
  const key = (type, code) => target.dispatchEvent(Object.assign(new Event(type), { code }));
  const latch = new InputLatch("first-tick");
  const detach = listenKeys(latch, target);
  const all = () => {
    const events = [];
    for (let event; (event = latch.takeUntil(1e9)); ) events.push(`${event.type} ${event.code}`);
    return events;
  };
  key("keydown", "KeyA");
  key("keydown", "KeyA");
  key("keyup", "KeyB");
  key("keyup", "KeyA");
  assert.deepEqual(all(), ["down KeyA", "up KeyA"]);
  key("keydown", "KeyC");
  target.dispatchEvent(new Event("blur"));
  assert.deepEqual(all(), ["down KeyC", "up KeyC"]);
  key("keydown", "KeyD");
  detach();
  detach();
  key("keydown", "KeyE");
  assert.deepEqual(all(), ["down KeyD", "up KeyD"]);
});

test("a_full_latch_leaves_no_key_and_no_pointer_stuck", () => {
  const target = new EventTarget();
  globalThis.addEventListener ??= EventTarget.prototype.addEventListener.bind(target);
  globalThis.removeEventListener ??= EventTarget.prototype.removeEventListener.bind(target);
  const send = (type, more) => target.dispatchEvent(Object.assign(new Event(type), more));
  const latch = new InputLatch("first-tick");
  const held = new Set();
  let events = 0;
  const take = () => {
    for (let event; (event = latch.takeUntil(1e12)); events++) {
      const what = event.code ?? event.id;
      if (event.type === "down") assert.ok(!held.has(what), `${what} is down already`);
      if (event.type === "down") held.add(what);
      if (event.type === "up") assert.ok(held.delete(what), `${what} was not down`);
    }
    return [...held];
  };
  const detachKeys = listenKeys(latch, target);
  const detachPointer = listenPointer(latch, target);
  const fill = () => {
    for (let n = 0; n < 200; n++) {
      send("keydown", { code: "KeyA" });
      send("keyup", { code: "KeyA" });
      send("pointermove", { pointerId: 1 });
    }
  };
  // Held before the latch is full, released afterwards.
  send("keydown", { code: "KeyW" });
  send("pointerdown", { pointerId: 1 });
  fill();
  assert.ok(!latch.push(0, { type: "move" }), "the rest of the room is for the releases");
  send("keydown", { code: "KeyX" }); // Refused, and so is its release.
  send("pointerdown", { pointerId: 2 });
  send("keyup", { code: "KeyW" });
  send("pointerup", { pointerId: 1 });
  send("pointerup", { pointerId: 2 });
  assert.equal(latch.length, LATCH_CAPACITY);
  assert.deepEqual(take(), []);
  // A key that is still down when there is room again is pressed by its repeat.
  send("keydown", { code: "KeyX" });
  assert.deepEqual(take(), ["KeyX"]);
  fill();
  target.dispatchEvent(new Event("blur"));
  globalThis.dispatchEvent?.(new Event("blur"));
  send("keydown", { code: "KeyY" });
  assert.ok(!take().includes("KeyY"));
  // So on detaching.
  send("keydown", { code: "KeyZ" });
  send("pointerdown", { pointerId: 3 });
  fill();
  detachKeys();
  detachPointer();
  assert.deepEqual(take(), []);
  // All room is back.
  for (let n = 0; n < LATCH_CAPACITY; n++) assert.ok(latch.push(0, { type: "move" }));
  assert.ok(events > LATCH_CAPACITY);
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

test("a_trace_says_what_does_not_replay_the_same", () => {
  const inexact = (play) => {
    const trace = new Trace();
    play(trace);
    return trace.inexact;
  };
  assert.deepEqual(inexact((trace) => new Pacer({ trace }).frame(5)), []);
  assert.deepEqual(inexact((trace) => new Pacer({ trace }).frame(-5)), ["a timestamp before 0"]);
  assert.deepEqual(inexact((trace) => [new Pacer({ trace }), new Pacer({ trace })]), ["a second pacer"]);
  const gates = (...gates) => inexact((trace) => {
    const pacer = new Pacer({ profile: "starship", trace });
    for (const gate of gates) pacer.gate = gate;
  });
  assert.deepEqual(gates("menu", "open", "paused", "open"), []);
  assert.deepEqual(gates("menu", "paused"), ["a pause from a menu"]);
});

test("interpolation_goes_the_short_way_in_constant_time", () => {
  assert.equal(lerp(10, 20, 0.25), 12.5);
  assert.ok(Math.abs(lerpAngle(3, -3, 0.5) - Math.PI) < 1e-12);
  assert.ok(Number.isFinite(lerpAngle(0, 1e300, 0.5)));
  assert.ok(Number.isNaN(lerpAngle(0, Infinity, 0.5)));
  const x = new Interpolated(0);
  x.advance(4);
  x.advance(8);
  assert.deepEqual([x.previous, x.current, x.at(0.25)], [4, 8, 5]);
  x.teleport(100);
  assert.equal(x.at(0.25), 100);
  const angle = new Interpolated(3, lerpAngle);
  angle.advance(-3);
  assert.ok(angle.at(0.5) > 3);
  const point = new Interpolated({ x: 0 }, (a, b, alpha) => ({ x: lerp(a.x, b.x, alpha) }));
  point.advance({ x: 2 });
  assert.deepEqual(point.at(0.5), { x: 1 });
});

test("a_saved_pacer_goes_on_where_it_was", () => {
  const pacer = new Pacer();
  for (let n = 0; n < 200; n++) pacer.frame(n * 6.94);
  const restored = Pacer.restore(pacer.save());
  for (let n = 200; n < 400; n++) {
    assert.equal(restored.frame(n * 6.94).steps, pacer.frame(n * 6.94).steps);
    assert.equal(restored.plan.alpha, pacer.plan.alpha);
  }
  const damaged = pacer.save();
  damaged[100] ^= 1;
  assert.throws(() => Pacer.restore(damaged), /damaged/);
  assert.equal(restored.stats.lock.state, "locked");
  assert.equal(Math.round(restored.stats.lock.refreshHz), 144);
  assert.ok(restored.frameTime(0.5) > 6 && restored.ledger.isBalanced);
});

test("presentation_feedback_and_a_variable_refresh_reach_the_lock", () => {
  const pacer = new Pacer();
  for (let n = 0; n < 600; n++) {
    pacer.frame((n * 1000) / 60);
    pacer.presented((n * 1000) / 60, (n * 1000) / 60 + 20);
  }
  assert.equal(Math.round(pacer.shownAt - (599 * 1000) / 60), 20);
  pacer.setVariableRefresh(true);
  pacer.frame(10_000);
  assert.deepEqual([pacer.stats.lock.state, pacer.shownAt], ["free", undefined]);
});
