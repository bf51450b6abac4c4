/** Recording a trace for `evenstep trace` and `evenstep import`. */

import { Answer } from "./answers.js";
import { number, whole } from "./check.js";
import { encode, type Command } from "./command.js";
import type { Pacer } from "./pacer.js";
import type { PacingChange, Profile } from "./pacing.js";
import { nanosText } from "./time.js";

/**
 * Records what a pacer or a loop is told, and its timestamps: pass it as the option `trace`, and save `toString()` as a
 * `.jsonl` file. `evenstep trace --explain FILE` makes the same decisions again, and prints them; `evenstep import FILE`
 * measures the display.
 *
 * ```ts
 * const trace = new Trace();
 * const loop = new GameLoop(callbacks, 1 / 60, { trace });
 * // Later:
 * const url = URL.createObjectURL(new Blob([trace.toString()]));
 * ```
 */
export class Trace {
  readonly #framesMax: number;
  // Timestamps in milliseconds, and commands as they are in the file.
  readonly #lines: (number | string)[] = [];
  #profile: Profile = "evenstep";
  #pacing: PacingChange | undefined;
  #frames = 0;
  #isFull = false;

  /** @param framesMax When to stop recording; by default after a million frames, which are 4.6 hours at 60 Hz. */
  constructor(framesMax = 1_000_000) {
    this.#framesMax = framesMax === Infinity ? framesMax : whole("framesMax", framesMax, Number.MAX_SAFE_INTEGER);
  }

  /** The number of frames recorded. */
  get frames(): number {
    return this.#frames;
  }

  /** Whether recording has stopped because there are too many frames. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Adds a frame. */
  frame(now: number): void {
    number("now", now);
    if (this.#frames === this.#framesMax) this.#isFull = true;
    if (this.#isFull) return;
    this.#lines.push(now);
    this.#frames++;
  }

  /** Adds a command. */
  tell(command: Command): void {
    encode(command);
    if (!this.#isFull) this.#lines.push(line(command));
  }

  /** The trace as a file, in the format of docs/trace.md. */
  toString(): string {
    const header = JSON.stringify({ trace: 2, profile: this.#profile, pacing: this.#pacing });
    const lines = this.#lines.map((line) => (typeof line === "number" ? frameLine(line) : line));
    return [header, ...lines, ""].join("\n");
  }

  /** Begins with a new pacer. @internal */
  _attach(pacer: Pacer, profile: Profile, change: PacingChange): void {
    if (this.#pacing !== undefined || this.#lines.length > 0) throw new Error("evenstep: a trace records one pacer: make another one");
    const [ticks, seconds] = pacer.rate;
    const limit = (answer: Answer): number | null => (pacer._answer(answer) === Infinity ? null : pacer._answer(answer));
    // Unless they are given, the rate decides about both limits.
    const limits = { longest_frame_ns: limit(Answer.LongestFrameNs), steps_max: limit(Answer.StepsMax) };
    this.#profile = profile;
    this.#pacing = { ...change, rate: { ticks, seconds }, ...limits };
  }
}

function frameLine(now: number): string {
  return Number.isFinite(now) ? `{"frame_ns":${nanosText(now)}}` : line({ skip: true });
}

/** A command in one line. Integers that a float has rounded get all their digits, which `JSON.stringify` rounds once more. */
function line(command: Command): string {
  return JSON.stringify(command).replace(/(?<![\d.])\d{17,}(?=[,}])/g, (digits) => `${BigInt(Number(digits))}`);
}
