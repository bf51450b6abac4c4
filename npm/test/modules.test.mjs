// The small and the full module in one process.
import assert from "node:assert/strict";
import { test } from "node:test";

import { InputLatch, Pacer, ServerTick } from "evenstep/inline";

test("the_full_module_joins_a_small_one_that_is_in_use", async () => {
  const small = new Pacer({ profile: "game-loop" });
  const latch = new InputLatch();
  small.frame(0);
  small.frame(17);
  latch.push(30, "early");
  latch.push(45, "later");
  assert.throws(() => small.explain(), /full module/);
  const early = new ServerTick(() => {});
  assert.throws(() => early.start(), /full module/);
  assert.ok(!early.isRunning, "it has not started");

  const { init } = await import("evenstep");
  await init();
  const { Pacer: FullPacer } = await import("evenstep/full");
  for (const full of [new Pacer({ profile: "game-loop" }), new FullPacer({ profile: "game-loop" })]) {
    full.frame(0);
    full.frame(17);
    assert.match(full.explain(), /^1 step: /);
    assert.ok(full.ledger.isBalanced);
    const restored = FullPacer.restore(full.save());
    assert.equal(restored.frame(51).steps, full.frame(51).steps);
  }
  const server = new ServerTick(() => {});
  server.start();
  assert.ok(server.isRunning);
  server.dispose();

  // What was there goes on, and its events reach a pacer of the other module.
  assert.equal(small.frame(34).steps, 1);
  assert.equal(small.tick, 2);
  const other = new Pacer({ profile: "game-loop" });
  other.frame(0);
  const plan = other.frame(51);
  const taken = [];
  for (let tick = 0; tick < 3; tick++) for (let event; (event = latch.take(plan, tick)); ) taken.push([tick, event]);
  assert.deepEqual([plan.steps, taken], [3, [[1, "early"], [2, "later"]]]);
  latch.push(52, "last");
  assert.equal(latch.takeUntil(60), "last");
  assert.equal(latch.length, 0);
  for (const thing of [small, other, latch]) thing.dispose();
});
