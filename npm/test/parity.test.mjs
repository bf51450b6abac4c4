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

/** A trace of random frames and controls. */
function randomTrace(seed) {
  const random = generator(seed);
  const profile = random.among(["starship", "fixed-time-step", "game-loop", "evenstep"]);
  const start = random.among([0, 54_321.5, -20]);
  const head = { trace: 1, profile, start_ms: start };
  if (random.below(3) === 0) head.display_lock = random.below(2) === 0;
  const scale = () => random.among([0, 0.1, 0.3, 1, 1.7, 4]);
  const controls = {
    starship: [
      () => ({ reset: random.among(["frame_timing", "new_game"]) }),
      () => ({ phase: random.among(["menu", "birth", "playing", "dead"]) }),
      () => ({ time_dilation: scale() }),
      () => ({ level_speed: scale() }),
      () => ({ juice: scale() }),
      () => ({ test_speed: scale() }),
      () => ({ hit_freeze_s: random.below(200) / 1e3 }),
      () => ({ mission: { timer_s: random.below(4) } }),
    ],
    "fixed-time-step": [() => ({ set_fps: { render: 1 + random.below(80), fixed: 1 + random.below(80) } })],
  };
  controls["game-loop"] = controls.evenstep = [
    () => ({ time_scale: scale() }),
    () => ({ hitstop: { frames: random.below(8), intensity: scale() } }),
  ];
  const any = [() => ({ pause: random.below(2) === 0 }), () => ({ step: random.below(4) })];
  const lines = timestamps(random, 300, { start: Math.max(0, start) }).flatMap((frame_ms) => {
    const line = { frame_ms };
    return random.below(12) === 0 ? [random.among([...controls[profile], ...any])(), line] : [line];
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
      exports.pacing_from(profile, hz, NaN);
      exports.pacing_set(11, lock, NaN, NaN);
      if (seed % 5 === 0) exports.pacing_set(7, 12, NaN, NaN);
      return exports.pacer_new();
    });
    for (const now of timestamps(random, 600, { start: 1000 })) {
      const [control, value] = [random.below(40), random.below(300) / 100];
      const [stepsDone, drawDone] = [random.among([NaN, now + value - 20]), random.among([NaN, now + value - 18, Infinity])];
      const told = `seed ${seed} at ${now}`;
      same(({ exports }, n) => {
        if (control === 0) exports.pacer_set_scale(pacers[n], 0, value);
        if (control === 1) exports.pacer_hitstop(pacers[n], 3, value / 3);
        if (control === 2) exports.pacer_hit_freeze(pacers[n], value * 100);
        if (control === 3) exports.pacer_reset_frame_timing(pacers[n], now);
      }, told);
      steps += same(({ exports }, n) => exports.pacer_frame(pacers[n], now, stepsDone, drawDone), told);
      same(({ plan }, n) => plan(pacers[n]), told);
    }
    same(({ exports }, n) => {
      exports.pacer_answers(pacers[n]);
      return [...new BigUint64Array(exports.memory.buffer, exports.numbers(), 38)];
    }, `answers of seed ${seed}`);
  }
  assert.ok(steps > 10_000, `${steps}`);
});

test("golden_traces_give_what_the_native_command_prints", () => {
  const names = readdirSync(GOLDEN).filter((name) => name.endsWith(".trace.jsonl"));
  const traces = names.map((name) => [name, readFileSync(new URL(name, GOLDEN), "utf8")]);
  // Version 2 has nanoseconds and the whole state of a pacer, which this package neither writes nor reads.
  const ours = traces.filter(([, trace]) => JSON.parse(trace.split("\n")[0]).trace === 1);
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
  assert.deepEqual(trace.inexact, []);
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
  assert.match(evenstep(["lab", "import", "-"], trace.toString()), /14[34]\.\d/);
});

test("a_trace_says_what_it_cannot_express", () => {
  const trace = new Trace(3);
  const pacer = new Pacer({ rate: 50, trace });
  pacer.fastForward(2);
  assert.deepEqual(trace.inexact, ["a rate of 50", "fast-forwarding"]);
  for (let n = 0; n < 5; n++) pacer.frame(n * 20);
  assert.equal(trace.frames, 3);
  assert.ok(trace.isFull);
  assert.equal(trace.toString(), '{"trace":1,"profile":"evenstep"}\n{"frame_ms":0}\n{"frame_ms":20}\n{"frame_ms":40}\n');
  pacer.dispose();
});
