// The pacer and its plans: odd arguments, growing memory, disposal, saving, traces and feedback.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  FixedTimeStep, GameLoop, init, InputLatch, Interpolated, lerp, lerpAngle, Pacer, ServerTick, StarshipLoop, Trace,
} from "../dist/node.js";

await init();

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
    [() => Pacer.restore(new Uint8Array(1e6)), RangeError, /another format/],
    [() => pacer.setVariableRefresh(1), TypeError, /isVariable .*1/],
    [() => pacer.presented({ frame: 1 }), TypeError, /at .*undefined/],
    [() => pacer.presented(1, 2), TypeError, /presented .*1/],
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

test("a_command_is_the_line_of_a_trace_and_anything_else_is_refused", () => {
  const pacer = new Pacer();
  pacer.tell({ gate: "paused" });
  pacer.tell({ step: 2 });
  pacer.frame(0);
  assert.deepEqual([pacer.gate, pacer.frame(17).outcome, pacer.tick], ["paused", "paused", 2]);
  pacer.tell({ scale: { channel: "custom_0", value: 0.5 } });
  pacer.tell({ resting_scale: { channel: "time_dilation", value: 4 } });
  assert.deepEqual([pacer.channel("custom0"), pacer.restingScale("timeDilation")], [0.5, 4]);
  pacer.tell({ pacing: { rate: { ticks: 30 }, stall_ns: null } });
  assert.deepEqual(pacer.rate, [30, 1]);
  pacer.tell({ skip: true });
  assert.deepEqual([pacer.plan.outcome, pacer.stats.skippedFrames], ["skipped", 1]);
  const refused = [
    [{}, RangeError, /one name, not 0/],
    [{ gate: "open", step: 1 }, RangeError, /one name, not 2: gate,step/],
    [{ frame_ns: 5 }, RangeError, /a command .*"frame_ns"/],
    [{ toString: 5 }, RangeError, /a command .*"toString"/],
    [null, TypeError, /a command .*null/],
    ["suspend", TypeError, /a command .*"suspend"/],
    [{ suspend: false }, RangeError, /suspend .*false/],
    [{ suspend: 1 }, TypeError, /suspend .*1/],
    [{ variable_refresh: 1 }, TypeError, /variable_refresh .*1/],
    [{ hit_freeze_ns: 0.5 }, RangeError, /hit_freeze_ns .*0.5/],
    [{ hit_freeze_ns: 2 ** 64 }, RangeError, /hit_freeze_ns .*18446744073709552000/],
    [{ hit_freeze_ns: 5n }, TypeError, /hit_freeze_ns .*BigInt 5n/],
    [{ scale: 0.5 }, TypeError, /scale .*0.5/],
    [{ scale: { channel: "timeDilation", value: 1 } }, RangeError, /channel .*"timeDilation"/],
    [{ scale: { channel: "juice", value: NaN } }, RangeError, /value .*NaN/],
    [{ hitstop: { frames: -1, intensity: 1 } }, RangeError, /frames .*-1/],
    [{ hitstop: { frames: 1, intensity: 1, steps: 1 } }, RangeError, /a field of hitstop .*"steps"/],
    [{ reset: "new_game" }, TypeError, /reset .*"new_game"/],
    [{ reset: { kind: "all" } }, RangeError, /kind .*"all"/],
    [{ reset: { kind: "new_game", last_frame_ns: null } }, TypeError, /last_frame_ns .*null/],
    [{ presented: { frame_ns: 1 } }, TypeError, /at_ns .*undefined/],
    [{ pacing: 60 }, TypeError, /pacing .*60/],
    [{ pacing: { rate: 60 } }, TypeError, /rate .*60/],
    [{ pacing: { rate: null } }, RangeError, /rate .*null/],
    [{ pacing: { rate: { ticks: 60, seconds: 0 } } }, RangeError, /rate .*"seconds":0/],
    [{ pacing: { rate: { ticks: 60, second: 1 } } }, RangeError, /a field of rate .*"second"/],
    [{ pacing: { excess: null } }, RangeError, /excess .*null/],
    [{ pacing: { display_lock: null } }, RangeError, /display_lock .*null/],
    [{ pacing: { stepsMax: 5 } }, RangeError, /an option .*"stepsMax"/],
    [{ pacing: { stall_ns: -1 } }, RangeError, /stall_ns .*-1/],
    [{ pacing: { channels: { juice: { min: 0, max: 1 } } } }, TypeError, /juice\.resting .*undefined/],
  ];
  const before = pacer.save();
  for (const [command, type, message] of refused) {
    assert.throws(() => pacer.tell(command), (error) => error.constructor === type && message.test(error.message), `${message}`);
  }
  assert.deepEqual(pacer.save(), before, "nothing of it has changed anything");
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
  const saved = pacer.save();
  assert.throws(() => Pacer.restore(saved.subarray(0, -1)), /length/);
  assert.throws(() => Pacer.restore(Uint8Array.of(...saved, 0)), /length/);
  assert.throws(() => Pacer.restore(Uint8Array.of(...saved, ...new Uint8Array(9_000))), /length/);
  assert.equal(restored.lockState.state, "locked");
  assert.equal(Math.round(restored.lockState.refreshHz), 144);
  assert.ok(restored.frameTime(0.5) > 6 && restored.ledger.isBalanced);
});

test("presentation_feedback_and_a_variable_refresh_reach_the_lock", () => {
  const pacer = new Pacer();
  for (let n = 0; n < 600; n++) {
    pacer.frame((n * 1000) / 60);
    pacer.presented({ frame: (n * 1000) / 60, at: (n * 1000) / 60 + 20 });
  }
  assert.equal(Math.round(pacer.shownAt - (599 * 1000) / 60), 20);
  pacer.setVariableRefresh(true);
  pacer.frame(10_000);
  assert.deepEqual([pacer.lockState.state, pacer.shownAt], ["free", undefined]);
});
