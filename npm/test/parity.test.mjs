// The package decides as the native command does, byte by byte.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { FixedTimeStep, GameLoop, init, Pacer, StarshipLoop, Trace } from "../dist/node.js";
import { generator, timestamps } from "./random.mjs";
import { replay } from "./replay.mjs";

await init();

const EVENSTEP = process.env.EVENSTEP ?? fileURLToPath(new URL("../../target/debug/evenstep", import.meta.url));
const GOLDEN = new URL("../../crates/evenstep-cli/tests/golden/", import.meta.url);

function evenstep(options, input) {
  const { status, stdout, stderr, error } = spawnSync(EVENSTEP, options, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  assert.ok(!error, `${EVENSTEP} is needed: cargo build -p evenstep-cli (${error})`);
  assert.equal(status, 0, stderr);
  return stdout;
}

const CHANNELS = [
  "time_dilation", "level_speed", "juice", "network_nudge", "custom_0", "custom_1", "custom_2", "custom_3",
];
const PROFILES = ["starship", "fixed-time-step", "game-loop", "evenstep"];

/** Some options of a configuration. */
function randomPacing(random) {
  const rates = [{ ticks: 60 }, { ticks: 60_000, seconds: 1001 }, { ticks: 144 }, { ticks: 7, seconds: 2 }];
  const limit = (...times) => random.among([null, ...times]);
  const options = {
    rate: () => random.among(rates),
    stall_ns: () => limit(200e6, 1e9),
    longest_frame_ns: () => limit(33e6, 250e6, 1),
    backlog_ns: () => limit(250e6, 40e6),
    backlog_steps: () => limit(5, 2),
    steps_max: () => limit(4, 1, 15),
    excess: () => random.among(["keep-phase", "drain", "carry"]),
    budget_ns: () => limit(8e6),
    effects: () => random.among(["composed", "classic"]),
    start_phase: () => random.among([0, 0.5, 0.875]),
    draw_rate: () => random.among([null, ...rates]),
    display_lock: () => random.among(["off", "follow", "rate-lock"]),
    channels: () => ({ [random.among(CHANNELS)]: { min: 0.25, max: 2, resting: random.among([0.5, 1]) } }),
  };
  const given = Object.entries(options).filter(() => random.below(4) === 0);
  return Object.fromEntries(given.map(([name, value]) => [name, value()]));
}

/** Any command, around this time. */
function randomCommand(random, now) {
  const value = () => random.among([0, 0.1, 0.3, 1, 1.7, 4, -1]);
  const at = () => now + random.below(30e6);
  return random.among([
    () => ({ gate: random.among(["open", "open", "paused", "menu"]) }),
    () => ({ step: random.below(4) }),
    () => ({ scale: { channel: random.among(CHANNELS), value: value() } }),
    () => ({ resting_scale: { channel: random.among(CHANNELS), value: value() } }),
    () => ({ hit_freeze_ns: random.below(200e6) }),
    () => ({ hitstop: { frames: random.below(8), intensity: random.next() } }),
    () => ({ fast_forward: random.below(9) }),
    () => ({ tick: random.below(1e6) }),
    () => ({ pacing: randomPacing(random) }),
    () => ({ suspend: true }),
    () => ({ reset: { kind: random.among(["frame_timing", "new_game"]), ...(random.below(2) && { last_frame_ns: now }) } }),
    () => ({ refresh_ns: 1 + random.below(40e6) }),
    () => ({ variable_refresh: random.below(2) === 0 }),
    () => ({ presented: { frame_ns: now, at_ns: at() } }),
    () => ({ steps_done_ns: at() }),
    () => ({ draw_done_ns: at() }),
    () => ({ skip: true }),
  ])();
}

/** A trace of random frames and commands. */
function randomTrace(seed) {
  const random = generator(seed);
  const head = { trace: 2, profile: random.among(PROFILES), pacing: randomPacing(random) };
  const lines = timestamps(random, 300, { start: random.among([0, 54_321.5]) }).flatMap((now) => {
    const line = { frame_ns: Math.round(now * 1e6) };
    return random.below(12) === 0 ? [randomCommand(random, line.frame_ns), line] : [line];
  });
  return [head, ...lines].map((line) => JSON.stringify(line)).join("\n") + "\n";
}

/** A wasm module of the package, and the bytes of a plan in its memory. */
function instance(file) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL(`../dist/${file}`, import.meta.url))));
  return { exports, plan: (pacer) => [...new BigUint64Array(exports.memory.buffer, pacer, 7)] };
}

test("the_small_module_decides_as_the_full_one_bit_by_bit", () => {
  const modules = ["evenstep.wasm", "evenstep-full.wasm"].map(instance);
  const same = (ask, what) => {
    const [small, full] = modules.map(ask);
    assert.deepEqual(small, full, what);
    return small;
  };
  let steps = 0;
  for (let seed = 0; seed < 60; seed++) {
    const random = generator(seed);
    const [profile, lock, hz] = [random.below(4), random.below(3), random.among([60, 59.94, 144, 7])];
    const pacers = modules.map(({ exports }) => {
      exports.rate_of(hz, NaN);
      const [ticks, seconds] = new Float64Array(exports.memory.buffer, exports.numbers(), 2);
      exports.pacing_from(profile, ticks, seconds);
      exports.pacing_set(11, lock, NaN, NaN);
      if (seed % 5 === 0) exports.pacing_set(7, 12e6, NaN, NaN);
      return exports.pacer_new();
    });
    for (const now of timestamps(random, 600, { start: 1000 })) {
      const [control, value] = [random.below(40), random.below(300) / 100];
      const [stepsDone, drawDone] = [random.among([NaN, now + value - 20]), random.among([NaN, now + value - 18, Infinity])];
      const told = `seed ${seed} at ${now}`;
      same(({ exports }, n) => {
        if (control === 0) exports.pacer_tell(pacers[n], 2, 0, value);
        if (control === 1) exports.pacer_tell(pacers[n], 5, 3, value / 3);
        if (control === 2) exports.pacer_tell(pacers[n], 4, value * 1e8);
        if (control === 3) exports.pacer_tell(pacers[n], 10, 0, now * 1e6);
      }, told);
      steps += same(({ exports }, n) => exports.pacer_frame(pacers[n], now, stepsDone, drawDone), told);
      same(({ plan }, n) => plan(pacers[n]), told);
    }
    same(({ exports }, n) => {
      exports.pacer_answers(pacers[n]);
      return [...new BigUint64Array(exports.memory.buffer, exports.numbers(), 40)];
    }, `answers of seed ${seed}`);
  }
  assert.ok(steps > 10_000, `${steps}`);
});

test("golden_traces_give_what_the_native_command_prints", () => {
  const names = readdirSync(GOLDEN).filter((name) => name.endsWith(".trace.jsonl"));
  const traces = names.map((name) => [name, readFileSync(new URL(name, GOLDEN), "utf8")]);
  // A recording that begins in the middle of a game has the whole state of a pacer, which this package does not read.
  const ours = traces.filter(([, trace]) => !trace.includes('{"state":'));
  assert.ok(ours.length >= 5, `${names}`);
  for (const [name, trace] of ours) {
    assert.equal(replay(trace, { explain: true }).frames, evenstep(["trace", "--explain", "-"], trace), name);
    assert.equal(replay(trace).ledger, evenstep(["trace", "--ledger", "-"], trace), name);
  }
});

test("random_traces_give_what_the_native_command_prints_with_its_sentences", () => {
  for (let seed = 0; seed < 200; seed++) {
    const trace = randomTrace(seed);
    assert.equal(replay(trace, { explain: true }).frames, evenstep(["trace", "--explain", "-"], trace), `seed ${seed}`);
    if (seed % 4 === 0) assert.equal(replay(trace).ledger, evenstep(["trace", "--ledger", "-"], trace), `seed ${seed}`);
  }
});

/** What a recorded run decided, and what the native command decides from its trace. */
function compare(trace, decisions) {
  const rows = evenstep(["trace", "-"], trace.toString()).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(rows.map(({ steps, alpha }) => [steps, alpha]), decisions);
}

test("a_trace_of_each_loop_replays_natively_with_the_same_decisions", () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = generator(seed);
    const times = timestamps(random, 200, { start: 1000 });
    let now = 1000;
    {
      const trace = new Trace();
      let request;
      let steps = 0;
      const decisions = [];
      const loop = new GameLoop(
        {
          onFixedUpdate() {
            steps++;
          },
          onRenderUpdate(_delta, interpolation) {
            decisions.push([steps, interpolation]);
            steps = 0;
          },
        },
        1 / 60,
        { trace, now: () => now, requestFrame: (frame) => ((request = frame), 1), cancelFrame() {}, displayLock: seed % 2 === 0 },
      );
      loop.start();
      for (const time of times) {
        if (random.below(20) === 0) loop.triggerHitstop(random.below(5), 0.2);
        if (random.below(20) === 0) loop.setTimeScale(random.next() * 2 - 0.1);
        if (random.below(20) === 0) loop.pause();
        if (random.below(10) === 0) loop.step(2);
        if (random.below(10) === 0) loop.resume();
        request((now = time));
      }
      compare(trace, decisions);
      loop.dispose();
    }
    {
      const trace = new Trace();
      const decisions = [];
      const loop = new FixedTimeStep(30, 50, { trace, now: () => now });
      now = 1000;
      loop.start();
      for (now of times) {
        let steps = 0;
        if (random.below(20) === 0) loop.setFps(60, 1 + random.below(60));
        loop.tick({ fixedUpdate: () => steps++, update: (interpolation) => decisions.push([steps, interpolation]) });
      }
      compare(trace, decisions);
      loop.dispose();
    }
    {
      const trace = new Trace();
      const decisions = [];
      const loop = new StarshipLoop({ stepSimulation() {} }, { trace });
      for (const time of times) {
        if (random.below(20) === 0) loop.hitFreezeTimer = random.below(100) / 1e3;
        if (random.below(20) === 0) loop.timeDilation = random.next() * 2;
        if (random.below(20) === 0) loop.juiceDilation = random.next() * 2;
        if (random.below(20) === 0) loop.testSpeedMult = random.below(3);
        if (random.below(40) === 0) loop.phase = random.among(["menu", "playing"]);
        if (random.below(80) === 0) loop.startNewGame();
        if (random.below(80) === 0) loop.resetFrameTiming();
        loop.gameLoopTick(time);
        decisions.push([loop.stepsThisFrame, loop.pacer.alpha]);
      }
      compare(trace, decisions);
      loop.dispose();
    }
  }
});

test("the_lab_finds_the_refresh_in_an_exported_trace", () => {
  const trace = new Trace();
  const pacer = new Pacer({ trace });
  const random = generator(1);
  for (let n = 0; n < 1_000; n++) pacer.frame(5_000 + n * (1000 / 144) + 0.2 * random.next());
  pacer.dispose();
  assert.match(evenstep(["import", "-"], trace.toString()), /14[34]\.\d/);
});

test("a_trace_of_everything_that_a_pacer_can_be_told_replays_natively_with_the_same_decisions", () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = generator(seed);
    const trace = new Trace();
    const rate = random.among([60, 59.94, 144, 7, 50.05, [30_000, 1001], [1, 3]]);
    const pacer = new Pacer({ profile: random.among(PROFILES), rate, trace, ...(seed % 3 === 0 && { budget: 9, startPhase: 0.3 }) });
    const decisions = [];
    for (const now of timestamps(random, 200, { start: 1000 })) {
      if (random.below(8) === 0) pacer.tell(randomCommand(random, Math.round(now * 1e6)));
      if (random.below(30) === 0) pacer.setFps(random.next() * 70, random.next() * 70);
      if (random.below(30) === 0) pacer.configure({ rate, stepsMax: random.among([null, 3]), longestFrame: random.next() * 300 });
      const { steps, alpha } = pacer.frame(now);
      decisions.push([steps, alpha]);
      pacer.stepsDone(random.among([now + random.next() * 9, NaN]));
      // Asking hands reports over before the next frame.
      if (random.below(9) === 0) assert.ok(pacer.stats.stepTime >= 0);
      pacer.drawDone(now + 9 + random.next());
    }
    compare(trace, decisions);
    pacer.dispose();
  }
});

test("a_trace_is_text_with_every_digit", () => {
  const trace = new Trace(5);
  const pacer = new Pacer({ rate: 50, stall: 900, channels: { custom0: { min: 0, max: 2, resting: 1 } }, trace });
  const command = { hit_freeze_ns: 80_000_000 };
  pacer.tell(command);
  command.hit_freeze_ns = 0;
  pacer.frame(-5);
  pacer.frame(16.683);
  pacer.frame(NaN);
  pacer.stepsDone(18);
  pacer.drawDone(Infinity);
  // A clock that counts from 1970 has more digits in nanoseconds than a float.
  pacer.frame(1_763_463_600_123.456);
  pacer.resetFrameTiming(1_763_463_600_123.456);
  pacer.frame(1e300);
  assert.ok(!trace.isFull);
  pacer.frame(1e300);
  pacer.gate = "paused";
  assert.deepEqual([trace.frames, trace.isFull], [5, true]);
  const last = BigInt(Math.floor(1_763_463_600_123.456 * 1e6 + 0.5));
  assert.deepEqual(trace.toString().split("\n"), [
    '{"trace":2,"profile":"evenstep","pacing":{"rate":{"ticks":50,"seconds":1},"stall_ns":900000000,' +
      '"channels":{"custom_0":{"min":0,"max":2,"resting":1}},"longest_frame_ns":250000000,"steps_max":13}}',
    '{"hit_freeze_ns":80000000}',
    '{"frame_ns":0}',
    '{"frame_ns":16683000}',
    '{"skip":true}',
    '{"steps_done_ns":18000000}',
    `{"frame_ns":${last}}`,
    `{"reset":{"kind":"frame_timing","last_frame_ns":${last}}}`,
    '{"frame_ns":18446744073709551615}',
    "",
  ]);
  assert.throws(() => new Pacer({ trace }), /a trace records one pacer/);
  assert.equal(new Trace().toString(), '{"trace":2,"profile":"evenstep"}\n');
  pacer.dispose();
});
