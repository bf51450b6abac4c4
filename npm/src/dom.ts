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
 * Pushes what `map` makes of DOM events into a latch, with the time at which they happened; `undefined` is left out.
 *
 * @returns A function that detaches the listeners. Calling it again does nothing.
 */
export function listen<E>(
  latch: InputLatch<E>,
  target: DomTarget,
  types: readonly string[],
  map: (event: DomEvent) => E | undefined,
): () => void {
  const hear = (event: Event): void => {
    const input = map(event);
    if (input !== undefined) latch.push(event.timeStamp, input);
  };
  for (const type of types) target.addEventListener(type, hear);
  return () => {
    for (const type of types) target.removeEventListener(type, hear);
  };
}

/**
 * Pushes key presses and releases into a latch, without repeats. If the window loses the focus, keys that are down are
 * released, because nobody will report it.
 *
 * @returns A function that detaches the listeners and releases keys that are down.
 */
export function listenKeys(latch: InputLatch<KeyInput>, target: DomTarget = globalThis): () => void {
  const down = new Set<string>();
  const release = (at: number): void => {
    for (const code of down) latch.push(at, { type: "up", code });
    down.clear();
  };
  const detach = listen(latch, target, ["keydown", "keyup"], (event) => {
    const { type, code } = event as KeyboardEvent;
    const isDown = type === "keydown";
    if (isDown === down.has(code)) return undefined;
    if (isDown) down.add(code);
    else down.delete(code);
    return { type: isDown ? "down" : "up", code };
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
 * @returns A function that detaches the listeners.
 */
export function listenPointer(latch: InputLatch<PointerInput>, target: DomTarget): () => void {
  const types: { readonly [type: string]: PointerInput["type"] } = {
    pointerdown: "down",
    pointermove: "move",
    pointerup: "up",
    pointercancel: "up",
  };
  return listen(latch, target, Object.keys(types), (event) => {
    const { type, pointerId, offsetX, offsetY, buttons } = event as PointerEvent;
    return { type: types[type]!, id: pointerId, x: offsetX, y: offsetY, buttons };
  });
}
