/** The input latch: every event reaches exactly one tick. */

import { finite, number, whole, word } from "./check.js";
import type { Frame } from "./plan.js";
import type { Owned } from "./platform.js";
import { disown, disposable, needReady, own, type Running } from "./wasm.js";

const LATCHINGS = ["first-tick", "by-time"] as const;

/**
 * Which tick gets an event: the one whose interval contains its time (`by-time`), which is exact at any frame rate; or the
 * first that runs after it came (`first-tick`), which has the lowest latency.
 */
export type Latching = (typeof LATCHINGS)[number];

/** How many events a latch holds. */
export const LATCH_CAPACITY = 256;

/**
 * Holds events with their times and gives each to exactly one tick, in the order in which they came.
 *
 * ```ts
 * const input = new InputLatch<string>();
 * addEventListener("keydown", (event) => input.push(event.timeStamp, event.code));
 *
 * const plan = pacer.frame(now);
 * for (let tick = plan.firstTick; tick < plan.firstTick + plan.steps; tick++) {
 *   for (let code; (code = input.take(plan, tick)) !== undefined; ) press(code);
 *   step();
 * }
 * ```
 */
export class InputLatch<E = unknown> {
  readonly #byTime: number;
  #module: Running;
  #handle: number;
  // The module knows which event is due, and this their content, and their times in case the latch moves.
  #events: E[] = [];
  #times: number[] = [];
  #head = 0;
  // Room for the releases of what is down.
  #reserved = 0;
  #now = NaN;

  constructor(latching: Latching = "by-time") {
    this.#module = needReady();
    this.#byTime = word("latching", latching, LATCHINGS);
    this.#handle = this.#make();
  }

  /** The number of waiting events. */
  get length(): number {
    return this.#events.length - this.#head;
  }

  /**
   * Adds an event that happened at time `at`, in milliseconds on the clock of the frames: for a DOM event, its `timeStamp`.
   *
   * @returns Whether there was room. A latch holds `LATCH_CAPACITY` events, less one for each key or pointer that `listenKeys`
   * or `listenPointer` has reported as down: their releases always have room.
   */
  push(at: number, event: E): boolean {
    finite("at", at);
    if (event === undefined) throw new TypeError("an event must not be undefined, which stands for none");
    const isThere = this.length + this.#reserved < LATCH_CAPACITY && this.#module.wasm.latch_push(this.#synced(), at) !== 0;
    if (isThere) {
      this.#events.push(event);
      this.#times.push(at);
    }
    return isThere;
  }

  /** Adds a press if there is room for its release, too, and keeps that room until `_release`. @internal */
  _press(at: number, event: E): boolean {
    if (this.length + this.#reserved + 2 > LATCH_CAPACITY || !this.push(at, event)) return false;
    this.#reserved++;
    return true;
  }

  /** Adds the release of a press that was added. @internal */
  _release(at: number, event: E): void {
    this.#reserved--;
    this.push(at, event);
  }

  /** Takes the next event that belongs to `tick` of `frame`. Call it for each tick in order, until it returns `undefined`. */
  take(frame: Frame, tick: number): E | undefined {
    whole("tick", tick, Number.MAX_SAFE_INTEGER);
    if (this.length === 0) return undefined;
    const pacer = frame._pacer._live();
    if (frame._pacer._module !== this.#module) this.#move(frame._pacer._module);
    return this.#module.wasm.latch_take(this.#synced(), pacer, tick) ? this.#shift() : undefined;
  }

  /** Takes the next event that happened no later than `instant`. For ticks without a frame, such as those of a server. */
  takeUntil(instant: number): E | undefined {
    if (number("instant", instant) !== instant) throw new RangeError("instant must not be NaN");
    if (this.length === 0) return undefined;
    return this.#module.wasm.latch_take_until(this.#synced(), instant) ? this.#shift() : undefined;
  }

  /**
   * Tells the latch the current time, so that no event waits forever if the clock is set back. A time that is not finite is
   * ignored, like a frame's.
   */
  sync(now: number): void {
    if (!Number.isFinite(number("now", now))) return;
    this.#now = now;
    // An empty latch only notes the time, which can wait until an event comes.
    if (this.length > 0) this.#synced();
  }

  /** Removes all waiting events. */
  clear(): void {
    this.#module.wasm.latch_clear(this.#synced());
    this.#events = [];
    this.#times = [];
    this.#head = 0;
  }

  /** Frees the latch's memory. Using it afterwards throws; disposing again does nothing. */
  dispose(): void {
    if (this.#handle !== 0) disown(this, this.#module, this.#handle, "latch");
    this.#handle = 0;
    this.#events = [];
    this.#times = [];
    this.#head = 0;
  }

  #make(): number {
    return own(this, this.#module, this.#module.wasm.latch_new(this.#byTime), "latch");
  }

  /** Moves to the module of a pacer, which may be the full one while the latch was made in the small one. */
  #move(module: Running): void {
    this.#synced();
    disown(this, this.#module, this.#handle, "latch");
    this.#module = module;
    this.#handle = 0;
    this.#handle = this.#make();
    for (let n = this.#head; n < this.#times.length; n++) module.wasm.latch_push(this.#handle, this.#times[n]!);
  }

  #synced(): number {
    if (this.#handle === 0) throw new ReferenceError("evenstep: this latch was disposed of");
    if (this.#now === this.#now) this.#module.wasm.latch_sync(this.#handle, this.#now);
    this.#now = NaN;
    return this.#handle;
  }

  #shift(): E {
    const event = this.#events[this.#head++]!;
    if (this.#head === this.#events.length) {
      this.#events.length = this.#times.length = this.#head = 0;
    } else if (this.#head === LATCH_CAPACITY) {
      this.#events.splice(0, this.#head);
      this.#times.splice(0, this.#head);
      this.#head = 0;
    }
    return event;
  }
}

export interface InputLatch<E> extends Owned {}
disposable(InputLatch);
