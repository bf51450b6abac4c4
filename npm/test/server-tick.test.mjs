// ServerTick on a clock and timers that the test moves.
import assert from "node:assert/strict";
import { test } from "node:test";

import { init, ServerTick } from "../dist/node.js";

await init();

/** Timers like node's: exact to a millisecond, and up to one early. */
function world() {
  const timers = new Map();
  let ids = 0;
  const self = {
    now: 0,
    ticks: [],
    options: {
      now: () => self.now,
      setTimer: (wake, delay) => (timers.set(++ids, { at: self.now + Math.floor(delay), wake }), ids),
      clearTimer: (id) => timers.delete(id),
    },
    get timers() {
      return timers.size;
    },
    /** Runs timers until `end`. Each wakes up `late` milliseconds late. */
    run(end, late = () => 0) {
      for (;;) {
        const [id, timer] = [...timers].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
        if (!timer || timer.at > end) break;
        timers.delete(id);
        self.now = Math.max(self.now, timer.at + late());
        timer.wake();
      }
      self.now = Math.max(self.now, end);
    },
  };
  return self;
}

function server(options = {}, onTick) {
  const at = world();
  const tick = new ServerTick(onTick ?? ((number) => void at.ticks.push([number, at.now])), { ...at.options, ...options });
  return { at, tick };
}

test("ticks_come_at_absolute_deadlines_and_never_drift", () => {
  for (const rate of [60, 20, 128, [30_000, 1001]]) {
    const { at, tick } = server({ rate });
    at.now = 123.4;
    tick.start();
    let n = 0;
    at.run(123.4 + 600_000, () => (n++ % 7) * 0.9);
    const [ticks, seconds] = typeof rate === "number" ? [rate, 1] : rate;
    const due = Math.floor((600 * ticks) / seconds + 1e-6);
    assert.ok(Math.abs(at.ticks.length - due) <= 1, `${at.ticks.length} of ${due}`);
    for (const [number, now] of at.ticks) {
      const late = now - 123.4 - ((number + 1) * 1000 * seconds) / ticks;
      assert.ok(late > -1 && late < 7, `tick ${number} came ${late} ms late`);
    }
    assert.equal(tick.tick, at.ticks.length);
    tick.dispose();
  }
});

test("missed_ticks_are_caught_up_skipped_or_the_game_slows_down", () => {
  const after = (missed) => {
    const { at, tick } = server({ rate: 10, missed });
    tick.start();
    at.run(100);
    at.now = 560; // Busy: ticks at 200 to 500 were missed.
    at.run(1_100);
    return at.ticks.map(([number, now]) => `${number}@${Math.round(now)}`);
  };
  assert.deepEqual(after("catch-up"), ["0@100", "1@560", "2@560", "3@560", "4@560", "5@600", "6@700", "7@800", "8@900", "9@1000", "10@1100"]);
  assert.deepEqual(after("skip"), ["0@100", "1@560", "2@600", "3@700", "4@800", "5@900", "6@1000", "7@1100"]);
  assert.deepEqual(after("slow-down"), ["0@100", "1@560", "2@660", "3@760", "4@860", "5@960", "6@1060"]);
});

test("a_burst_lets_the_event_loop_breathe_and_loses_no_tick", () => {
  const { at, tick } = server({ rate: 100, burst: 3 });
  let wakes = 0;
  tick.start();
  at.run(10);
  at.now = 110;
  at.run(130, () => (wakes++, 0));
  assert.deepEqual(at.ticks.map(([number]) => number), Array.from({ length: 13 }, (_, n) => n));
  // Twelve ticks, ten of which had been missed: three at a time.
  assert.ok(wakes >= 4, `${wakes}`);
});

test("a_server_that_cannot_keep_up_falls_behind_only_so_far", () => {
  const { at, tick } = server({ rate: 10, behindMax: 1_000 });
  tick.start();
  at.run(100);
  at.now = 100_000;
  at.run(100_000);
  assert.equal(at.ticks.length, 1 + 10);
  assert.ok(tick.pacer.ledger.droppedNs.backlog > 98e9);
});

test("a_tick_that_throws_is_reported_and_the_ticks_go_on", () => {
  const errors = [];
  const at = world();
  let calls = 0;
  const onTick = () => {
    if (++calls % 2 === 0) throw new Error(`tick ${calls}`);
  };
  const quiet = new ServerTick(onTick, { ...at.options, rate: 10, onError: (error) => errors.push(error.message) });
  quiet.start();
  at.run(1_000);
  assert.deepEqual([calls, errors.length], [10, 5]);
  quiet.stop();
  calls = 0;
  const loud = new ServerTick(onTick, { ...at.options, rate: 10 });
  loud.start();
  assert.throws(() => at.run(10_000), /tick 2/);
  assert.equal(at.timers, 1, "the next tick is scheduled");
  assert.throws(() => at.run(10_000), /tick 4/);
  loud.stop();
  assert.equal(at.timers, 0);
});

test("stopping_inside_a_tick_is_at_once_and_starting_twice_is_once", () => {
  const { at, tick } = server({ rate: 10 }, () => {
    at.ticks.push(at.now);
    if (at.ticks.length === 3) tick.stop();
  });
  tick.start();
  tick.start();
  assert.equal(at.timers, 1);
  at.run(200);
  at.now = 900;
  at.run(2_000);
  assert.deepEqual([at.ticks.length, at.timers, tick.isRunning], [3, 0, false]);
  tick.start();
  at.run(2_100);
  assert.equal(at.ticks.length, 4);
  tick.dispose();
  tick.dispose();
  assert.equal(at.timers, 0);
});

test("draining_runs_what_is_due_and_waits_for_async_ticks", async () => {
  const finish = [];
  const { at, tick } = server({ rate: 10 }, () => new Promise((resolve) => finish.push(resolve)));
  tick.start();
  at.run(100);
  at.now = 450;
  let isDrained = false;
  const drained = tick.drain().then(() => (isDrained = true));
  await Promise.resolve();
  assert.deepEqual([finish.length, tick.isRunning, isDrained, at.timers], [4, false, false, 0]);
  for (const resolve of finish) resolve();
  await drained;
});

test("draining_runs_ticks_that_an_exception_left_behind", async () => {
  const seen = [];
  const { at, tick } = server({ rate: 20 }, (number) => {
    seen.push(number);
    if (number === 1 || number === 9) throw new Error(`tick ${number}`);
  });
  tick.start();
  at.now = 400;
  assert.throws(() => at.run(400), /tick 1/);
  assert.deepEqual([seen, tick.tick], [[0, 1], 2]);
  await tick.drain();
  assert.deepEqual([seen.length, tick.tick, tick.abandonedTicks], [8, 8, 0]);
  // Ticks that throw while draining cost no other tick, and are reported.
  tick.start();
  at.now += 400;
  await assert.rejects(tick.drain(), /tick 9/);
  assert.deepEqual(seen, Array.from({ length: 16 }, (_, n) => n));
  assert.deepEqual([tick.tick, tick.abandonedTicks, at.timers], [16, 0, 0]);
});

test("a_drain_that_fails_still_waits_for_async_ticks", async () => {
  let finish;
  let isFinished = false;
  const { at, tick } = server({ rate: 10 }, (number) => {
    if (number === 1) throw new Error("one");
    return new Promise((resolve) => (finish = resolve)).then(() => void (isFinished = true));
  });
  tick.start();
  at.now = 200;
  const drained = tick.drain();
  let isSettled = false;
  drained.catch(() => (isSettled = true));
  await new Promise(setImmediate);
  assert.ok(!isSettled);
  finish();
  await assert.rejects(drained, /one/);
  assert.ok(isFinished);
});

test("a_reset_of_the_pacer_between_an_exception_and_the_rest_costs_no_tick", () => {
  let calls = 0;
  const { at, tick } = server({ rate: 20 }, () => {
    if (++calls === 1) throw new Error("first");
  });
  tick.start();
  at.now = 200;
  assert.throws(() => at.run(200), /first/);
  tick.pacer.reset(200);
  at.run(250);
  assert.equal(calls, 5);
});

test("ticks_that_a_stop_gives_up_are_counted_and_numbers_do_not_jump", () => {
  const seen = [];
  const { at, tick } = server({ rate: 20 }, (number) => {
    seen.push(number);
    if (number === 2) tick.stop();
  });
  tick.start();
  at.now = 400;
  at.run(400);
  assert.deepEqual([seen, tick.tick, tick.abandonedTicks], [[0, 1, 2], 3, 5]);
  tick.start();
  at.run(450);
  assert.deepEqual([seen, tick.tick, tick.abandonedTicks], [[0, 1, 2, 3], 4, 5]);
  tick.dispose();
  tick.dispose();
});

test("ticks_that_always_throw_are_given_up_with_a_count_and_numbers_do_not_jump", () => {
  const seen = [];
  const { at, tick } = server({ rate: 100, burst: 50 }, (number) => {
    seen.push(number);
    if (at.now < 20_000) throw new Error("always");
  });
  tick.start();
  for (let n = 0; n < 40; n++) {
    at.now += 500;
    try {
      at.run(at.now);
    } catch {}
  }
  at.run(at.now);
  assert.deepEqual(seen, Array.from(seen, (_, n) => n));
  assert.equal(tick.tick, seen.length);
  assert.ok(tick.abandonedTicks > 0);
  assert.equal(tick.tick + tick.abandonedTicks, at.now / 10);
});

test("lateness_is_that_of_every_tick_against_its_own_deadline", () => {
  for (const burst of [3, 8, 100]) {
    const { at, tick } = server({ rate: 20, burst });
    tick.start();
    at.now = 2050;
    at.run(2050);
    assert.equal(at.ticks.length, 41);
    assert.deepEqual(tick.lateness, { p50: 1000, p99: 2000, max: 2000 });
  }
  for (const missed of ["skip", "slow-down"]) {
    const { at, tick } = server({ rate: 20, missed });
    tick.start();
    at.now = 2050;
    at.run(2050);
    assert.deepEqual([at.ticks.length, tick.lateness.max], [1, 2000], missed);
  }
  // Callbacks that take time make those after them late.
  const { at, tick } = server({ rate: 20 }, () => void (at.now += 7));
  tick.start();
  at.now = 150;
  at.run(150);
  assert.deepEqual(tick.lateness, { p50: 57, p99: 100, max: 100 });
});

test("async_ticks_that_fail_are_reported", async () => {
  const errors = [];
  const { at, tick } = server({ rate: 10, onError: (error) => errors.push(error.message) }, async () => {
    throw new Error("later");
  });
  tick.start();
  at.run(300);
  await tick.drain();
  assert.deepEqual(errors, ["later", "later", "later"]);
});

test("a_paused_server_ticks_again_when_it_is_resumed", () => {
  const { at, tick } = server({ rate: 10 });
  tick.start();
  at.run(200);
  tick.pacer.gate = "paused";
  at.run(1_000);
  assert.equal(at.ticks.length, 2);
  tick.pacer.gate = "open";
  at.run(2_000);
  assert.ok(at.ticks.length >= 11, `${at.ticks.length}`);
});

test("hundreds_of_servers_tick_on_one_event_loop_in_real_time", async () => {
  const counts = new Uint32Array(300);
  const start = performance.now();
  const servers = Array.from(counts, (_, n) => new ServerTick((tick) => void (counts[n] = tick + 1), { rate: 50 }));
  for (const one of servers) one.start();
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      if (counts.every((count) => count >= 25)) resolve(clearInterval(timer));
    }, 20);
  });
  await Promise.all(servers.map((one) => one.drain()));
  const elapsed = performance.now() - start;
  // No more ticks than time has passed, and none is lost: that is what a drift would look like.
  for (const count of counts) {
    assert.ok(count <= elapsed / 20 + 1 && count >= 25, `${count} ticks in ${elapsed} ms`);
  }
  for (const one of servers) one.dispose();
});
