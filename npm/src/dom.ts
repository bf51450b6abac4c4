/** Feeding an input latch from DOM events. */

import type { InputLatch } from "./input-latch.js";
import type { DomEvent, DomTarget } from "./platform.js";

/** A key that went down or up. `code` is the key's place on the keyboard, such as `KeyW`. */
export interface KeyInput {
  readonly type: "down" | "up";
  readonly code: string;
}

/** A pointer that went down, moved or went up, in CSS pixels of the target. */
export interface PointerInput {
  readonly type: "down" | "move" | "up";
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly buttons: number;
}

/**
 * Pushes what `map` makes of DOM events into a latch, with the time at which they happened; `undefined` is left out, and
 * so is what finds the latch full.
 *
 * @returns A function that detaches the listeners. Calling it again does nothing.
 */
export function listen<E>(
  latch: InputLatch<E>,
  target: DomTarget,
  types: readonly string[],
  map: (event: DomEvent) => E | undefined,
): () => void {
  return attach(target, types, (event) => {
    const input = map(event);
    if (input !== undefined) latch.push(event.timeStamp, input);
  });
}

function attach(target: DomTarget, types: readonly string[], hear: (event: DomEvent) => void): () => void {
  for (const type of types) target.addEventListener(type, hear);
  return () => {
    for (const type of types) target.removeEventListener(type, hear);
  };
}

/**
 * Pushes key presses and releases into a latch, without repeats. If the window loses the focus, keys that are down are
 * released, because nobody will report it.
 *
 * A press that finds the latch full is left out together with its release, so no key is ever stuck; if it is still down when
 * there is room again, its next repeat is the press. Attached twice to one latch, it pushes every key twice.
 *
 * @returns A function that detaches the listeners and releases keys that are down.
 */
export function listenKeys(latch: InputLatch<KeyInput>, target: DomTarget = globalThis): () => void {
  const down = new Set<string>();
  const release = (at: number): void => {
    for (const code of down) {
      down.delete(code);
      latch._release(at, { type: "up", code });
    }
  };
  const detach = attach(target, ["keydown", "keyup"], (event) => {
    const { type, code, timeStamp } = event as KeyboardEvent;
    if (type === "keyup") {
      if (down.delete(code)) latch._release(timeStamp, { type: "up", code });
    } else if (!down.has(code) && latch._press(timeStamp, { type: "down", code })) {
      down.add(code);
    }
  });
  const blur = (event: Event): void => release(event.timeStamp);
  globalThis.addEventListener("blur", blur);
  return () => {
    detach();
    globalThis.removeEventListener("blur", blur);
    release(performance.now());
  };
}

/**
 * Pushes pointers into a latch: mouse, touch and pen.
 *
 * A press that finds the latch full is left out together with its release, so no pointer is ever stuck. Moves that find it full
 * are left out: a mouse that reports every millisecond fills it in a quarter of a second without ticks.
 *
 * @returns A function that detaches the listeners and releases pointers that are down, where they were last.
 */
export function listenPointer(latch: InputLatch<PointerInput>, target: DomTarget): () => void {
  const types: { readonly [type: string]: PointerInput["type"] } = {
    pointerdown: "down",
    pointermove: "move",
    pointerup: "up",
    pointercancel: "up",
  };
  const down = new Map<number, PointerInput>();
  const refused = new Set<number>();
  const detach = attach(target, Object.keys(types), (event) => {
    const { pointerId: id, offsetX: x, offsetY: y, buttons, timeStamp } = event as PointerEvent;
    const input: PointerInput = { type: types[event.type]!, id, x, y, buttons };
    if (input.type === "down" && !down.has(id)) {
      if (latch._press(timeStamp, input)) down.set(id, input);
      else refused.add(id);
    } else if (input.type === "up" && down.delete(id)) {
      latch._release(timeStamp, input);
    } else if (input.type !== "up" || !refused.delete(id)) {
      if (down.has(id)) down.set(id, input);
      latch.push(timeStamp, input);
    }
  });
  return () => {
    detach();
    for (const [id, { x, y }] of down) {
      down.delete(id);
      latch._release(performance.now(), { type: "up", id, x, y, buttons: 0 });
    }
  };
}
