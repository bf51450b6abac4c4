/** The plan of one frame. */

import { whole, word } from "./check.js";
import type { Pacer } from "./pacer.js";
import { needFull } from "./wasm.js";

const OUTCOMES = ["ran", "stalled", "menu", "paused", "frozen", "skipped"] as const;
const REASONS = ["stall", "clamp", "backlog", "cap", "budget", "reset", "rate"] as const;

/** What a frame did with its time. */
export type Outcome = (typeof OUTCOMES)[number];
/** Why time was dropped instead of simulated. */
export type DropReason = (typeof REASONS)[number];

/** Where each value of a plan is. Must agree with `npm/wasm/src/pacer.rs`. @internal */
export const enum At {
  Steps,
  FirstTick,
  Alpha,
  Flags,
  RawDt,
  ScaledDt,
  Missed,
}

const enum Value {
  Dt,
  DrawDt,
  Now,
  Elapsed,
  Dropped,
  IsByHand,
  FastForwarded,
  Scale,
  DroppedBy,
}

/**
 * The plan for one frame: how many steps to run now, and where between the last two to draw.
 *
 * A pacer has one plan, which each `Pacer.frame` changes: read it before the next one. So frames make no garbage.
 */
export class Frame {
  /** @internal */
  readonly _pacer: Pacer;

  /** @internal */
  constructor(pacer: Pacer) {
    this._pacer = pacer;
  }

  /** The number of steps to run now. */
  get steps(): number {
    return this.#at(At.Steps);
  }

  /** The number of the first tick to run now, or of the next tick if none runs. */
  get firstTick(): number {
    return this.#at(At.FirstTick);
  }

  /** The position of the frame between the last two ticks: 0 <= alpha < 1. */
  get alpha(): number {
    return this.#at(At.Alpha);
  }

  /** What the frame did with its time. */
  get outcome(): Outcome {
    return OUTCOMES[this.#at(At.Flags) & 7]!;
  }

  /** Whether to draw this frame, given the limit on the draw rate. */
  get shouldDraw(): boolean {
    return (this.#at(At.Flags) & 8) !== 0;
  }

  /** The frame's wall time after the limits, unscaled, in milliseconds. 0 for a stall. */
  get rawDt(): number {
    return this.#at(At.RawDt);
  }

  /** The frame's wall time after limits and scale, in milliseconds. 0 while the simulation is held. */
  get scaledDt(): number {
    return this.#at(At.ScaledDt);
  }

  /** The length of the gap in steps if it was a lag spike, otherwise 0. */
  get missed(): number {
    return this.#at(At.Missed);
  }

  /** The game time that this frame's steps simulate, in milliseconds. */
  get dt(): number {
    return this.#value(Value.Dt);
  }

  /** The wall time since the last frame to draw, in milliseconds. */
  get drawDt(): number {
    return this.#value(Value.DrawDt);
  }

  /** The time of this frame in milliseconds. */
  get now(): number {
    return this.#value(Value.Now);
  }

  /** The time since the last timestamp in milliseconds, before the display lock and the limits. */
  get elapsed(): number {
    return this.#value(Value.Elapsed);
  }

  /** The total time dropped in this frame, in milliseconds. */
  get dropped(): number {
    return this.#value(Value.Dropped);
  }

  /** Whether the steps were requested by hand while paused. */
  get isByHand(): boolean {
    return this.#value(Value.IsByHand) !== 0;
  }

  /** How many of the steps are fast-forwarded. */
  get fastForwarded(): number {
    return this.#value(Value.FastForwarded);
  }

  /** The scale of this frame: game seconds per wall second. */
  get scale(): number {
    return this.#value(Value.Scale);
  }

  /** The time dropped in this frame for one reason, in milliseconds. */
  droppedBy(reason: DropReason): number {
    return this.#value(Value.DroppedBy + word("reason", reason, REASONS));
  }

  /**
   * The time at which a tick of this frame ends, in milliseconds on the clock of the timestamps. An event belongs to the
   * first tick that does not end before it; `InputLatch` implements this rule.
   */
  tickEnd(tick: number): number {
    return this._pacer._module.wasm.pacer_tick_end(this._pacer._live(), whole("tick", tick, Number.MAX_SAFE_INTEGER));
  }

  /** Explains the number of steps in one sentence. Needs the full module. */
  explain(): string {
    const length = needFull("explain()", this._pacer._module.wasm.pacer_explain)(this._pacer._live());
    return new TextDecoder().decode(this._pacer._module.text(length));
  }

  #at(index: At): number {
    return this._pacer._module.f64[(this._pacer._live() >>> 3) + index]!;
  }

  #value(value: Value): number {
    return this._pacer._module.wasm.pacer_frame_value(this._pacer._live(), value);
  }
}
