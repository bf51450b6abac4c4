// Input: every event reaches exactly one tick, from a latch and from the DOM.
import assert from "node:assert/strict";
import { test } from "node:test";

import { init, InputLatch, LATCH_CAPACITY, listenKeys, listenPointer } from "../dist/node.js";
import { driven } from "./driven.mjs";

await init();

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
