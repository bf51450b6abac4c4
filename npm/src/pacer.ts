/** The pacer: timestamps in, plans out. */

import { Answer, LOCK_STATES, type Ledger, type LockState, type Stats } from "./answers.js";
import { boolean, finite, notNegative, number, object, positive, whole } from "./check.js";
import { encode, GATES, type Command, type Gate } from "./command.js";
import {
  begin, channelName, channelNumber, fps, optionName, toChange, write, type Channel, type PacingOptions, type Profile,
} from "./pacing.js";
import { Frame } from "./plan.js";
import type { Owned } from "./platform.js";
import { toNanos } from "./time.js";
import type { Trace } from "./trace.js";
import { disown, disposable, needFull, needReady, own, type Running } from "./wasm.js";

/** Options of a pacer: its configuration, the loop that it starts from, and a trace to record into. */
export interface PacerOptions extends PacingOptions {
  /** The loop that the configuration starts from; `"evenstep"`, the recommended one, by default. */
  readonly profile?: Profile;
  /** Records every frame and command. */
  readonly trace?: Trace;
}

/** When the display showed a frame, in milliseconds on the clock of the timestamps. */
export interface Presented {
  /** The timestamp that the frame was planned at. */
  readonly frame: number;
  /** When its image was shown. */
  readonly at: number;
}

/**
 * Turns timestamps into plans, one frame at a time. All times are in milliseconds.
 *
 * ```ts
 * import { init, Pacer } from "evenstep";
 *
 * await init();
 * const pacer = new Pacer({ rate: 60 });
 * requestAnimationFrame(function frame(now) {
 *   requestAnimationFrame(frame);
 *   const plan = pacer.frame(now);
 *   for (let n = 0; n < plan.steps; n++) step();
 *   draw(plan.alpha);
 * });
 * ```
 *
 * Whatever the timestamps, it never runs more steps than its cap, keeps alpha within 0 <= alpha < 1 and accounts for every
 * nanosecond.
 */
export class Pacer {
  /** The plan of the last frame: the object that `frame` returns. */
  readonly plan: Frame = new Frame(this);
  /** The module that the pacer lives in. @internal */
  readonly _module: Running;
  readonly #trace: Trace | undefined;
  #handle = 0;
  // Reports that go along with the next frame, so that a frame is one call into the module.
  #stepsDone = NaN;
  #drawDone = NaN;

  constructor(options: PacerOptions = {}) {
    object("options", options, "{ rate: 60 }");
    const module = (this._module = needReady());
    const { profile = "evenstep", trace } = options;
    const change = toChange(module, options);
    begin(module, profile, change);
    this.#handle = own(this, module, module.wasm.pacer_new(), "pacer");
    this.#trace = trace;
    trace?._attach(this, profile, change);
  }

  /**
   * Plans the frame at `now`, a timestamp in milliseconds such as that of `requestAnimationFrame`.
   *
   * A frame with a NaN or infinite timestamp is skipped: no time passes, and the next one makes up for it. Timestamps
   * before 0 count as 0. What is not a number throws, and nothing changes.
   *
   * @returns The same object for every frame.
   */
  frame(now: number): Frame {
    this._frame(now);
    return this.plan;
  }

  /** Plans a frame and returns its steps as an integer, which loops count down faster than a float. @internal */
  _frame(now: number): number {
    if (typeof now !== "number") number("now", now);
    // Integers of wasm are signed.
    const steps = this._module.wasm.pacer_frame(this.#handle || this._live(), now, this.#stepsDone, this.#drawDone) >>> 0;
    if (this.#trace !== undefined) {
      for (const report of this.#takeReports()) this.#trace.tell(report);
      this.#trace.frame(now);
    }
    this.#stepsDone = this.#drawDone = NaN;
    return steps;
  }

  /**
   * Carries out a command: the object in a line of a trace. The methods below are short for it, in milliseconds.
   *
   * ```ts
   * pacer.tell({ hit_freeze_ns: 80_000_000 }); // The same as pacer.hitFreeze(80).
   * ```
   */
  tell(command: Command): void {
    this.#tell(command);
  }

  /** Reports when this frame's steps were done. Statistics and the budget use it. */
  stepsDone(now: number): void {
    this.#stepsDone = number("now", now);
  }

  /** Reports when this frame's drawing was done. */
  drawDone(now: number): void {
    this.#drawDone = number("now", now);
  }

  /** What holds the simulation. Leaving a pause discards steps by hand that have not run yet. */
  get gate(): Gate {
    return GATES[this._answer(Answer.Gate)]!;
  }

  set gate(gate: Gate) {
    this.tell({ gate });
  }

  /** Requests single steps while paused. They run from the next frame on. */
  stepByHand(steps = 1): void {
    this.tell({ step: whole("steps", steps) });
  }

  /** Sets a channel of the simulation's speed. It is clamped to the channel's range on use. */
  setScale(channel: Channel, scale: number): void {
    this.tell({ scale: { channel: channelName(channel), value: finite("scale", scale) } });
  }

  /** Sets the resting value of a channel. The current value does not change. */
  setRestingScale(channel: Channel, scale: number): void {
    this.tell({ resting_scale: { channel: channelName(channel), value: finite("scale", scale) } });
  }

  /** Holds the simulation for this much wall time, from the next frame on. 0 ends a freeze. */
  hitFreeze(wallTime: number): void {
    this.tell({ hit_freeze_ns: toNanos(notNegative("wallTime", wallTime)) });
  }

  /** Slows the game to `intensity` for the wall time of `steps` steps. 0 steps end a hitstop. */
  hitstop(steps: number, intensity: number): void {
    this.tell({ hitstop: { frames: whole("steps", steps), intensity } });
  }

  /** Runs additional ticks in the next frame that simulates, regardless of all limits. */
  fastForward(ticks: number): void {
    this.tell({ fast_forward: whole("ticks", ticks) });
  }

  /** The number of ticks run since the pacer was created or reset. */
  get tick(): number {
    return this._answer(Answer.Tick);
  }

  set tick(tick: number) {
    this.tell({ tick });
  }

  /** Changes the configuration. Clocks, channel values and pending time stay. */
  configure(options: PacingOptions): void {
    object("options", options, "{ rate: 60 }");
    this.#tell({ pacing: toChange(this._module, options) }, optionName);
  }

  /** Sets the rates for drawing and stepping, each clamped to 1 to 60, like `FixedTimeStep.setFps`. */
  setFps(render: number, fixed = render): void {
    const module = this._module;
    this.tell({ pacing: { rate: fps(module, "fixed", fixed), draw_rate: fps(module, "render", render) } });
  }

  /** Stops the clock until the next frame, as for a page in the background. Nothing jumps on return. */
  suspend(): void {
    this.tell({ suspend: true });
  }

  /** Drops pending time and measures the next frame against `lastFrame`. Without it, the next frame starts the clock. */
  resetFrameTiming(lastFrame?: number): void {
    this.tell({ reset: { kind: "frame_timing", ...since(lastFrame) } });
  }

  /** Resets everything that a game can observe, as for a new game. The configuration and the ledger stay. */
  reset(lastFrame?: number): void {
    this.tell({ reset: { kind: "new_game", ...since(lastFrame) } });
  }

  /** Tells the display lock the display's refresh period, if it is known. A wrong hint is harmless. */
  hintRefresh(period: number): void {
    this.tell({ refresh_ns: toNanos(positive("period", period)) });
  }

  /**
   * Tells the display lock that frames appear when they are ready rather than on a fixed refresh. Timestamps alone cannot tell
   * such frames from a fixed refresh with noise.
   */
  setVariableRefresh(isVariable: boolean): void {
    this.tell({ variable_refresh: boolean("isVariable", isVariable) });
  }

  /** Reports when the display showed a frame, if that is known: its timestamp, and the time of its image. */
  presented(presented: Presented): void {
    object("presented", presented, "{ frame, at }");
    const { frame, at } = presented;
    this.tell({ presented: { frame_ns: toNanos(finite("frame", frame)), at_ns: toNanos(finite("at", at)) } });
  }

  /** When the last frame is shown, in milliseconds, or `undefined` while that is not known. Needs the full module. */
  get shownAt(): number | undefined {
    const at = needFull("shownAt", this._module.wasm.pacer_shown_at)(this._settled());
    return at === at ? at : undefined;
  }

  /** All time between timestamps, including dropped time, in milliseconds. */
  get wallTime(): number {
    return this._answer(Answer.WallTime);
  }

  /** Wall time after the limits, in milliseconds. Scales, pauses and freezes do not affect it; a menu stops it. */
  get uiTime(): number {
    return this._answer(Answer.UiTime);
  }

  /** Game seconds per wall second: the product of the channels, including hitstop. */
  get scale(): number {
    return this._answer(Answer.Scale);
  }

  /** The position of the last frame between the last two ticks: 0 <= alpha < 1. */
  get alpha(): number {
    return this._answer(Answer.Alpha);
  }

  /** The pending game time in milliseconds. */
  get pending(): number {
    return this._answer(Answer.Pending);
  }

  /** The remaining wall time of the hit-freeze in milliseconds. */
  get freezeLeft(): number {
    return this._answer(Answer.FreezeLeft);
  }

  /** The remaining wall time of the hitstop in milliseconds. */
  get hitstopLeft(): number {
    return this._answer(Answer.HitstopLeft);
  }

  get isInHitstop(): boolean {
    return this.hitstopLeft > 0;
  }

  /** The length of a step in milliseconds. */
  get step(): number {
    return (this._answer(Answer.RateSeconds) * 1e3) / this.#read(Answer.RateTicks);
  }

  /** The rate of the simulation as an exact fraction: ticks over seconds. */
  get rate(): readonly [ticks: number, seconds: number] {
    return [this._answer(Answer.RateTicks), this.#read(Answer.RateSeconds)];
  }

  /** The value a channel was set to, before clamping. */
  channel(channel: Channel): number {
    return this._answer(Answer.Channels + channelNumber("channel", channelName(channel)));
  }

  /** The resting value of a channel. */
  restingScale(channel: Channel): number {
    return this._answer(Answer.Resting + channelNumber("channel", channelName(channel)));
  }

  /**
   * The time at which the next frame has something to do, in milliseconds, or `undefined` while the simulation is held.
   * For loops that sleep between ticks. Needs the full module.
   */
  get nextDue(): number | undefined {
    const due = needFull("nextDue", this._module.wasm.pacer_next_due)(this._settled());
    return due === due ? due : undefined;
  }

  /** What the display lock knows about the display, as a new object. */
  get lockState(): LockState {
    return { state: LOCK_STATES[this._answer(Answer.Lock)]!, refreshHz: this.#read(Answer.RefreshHz) };
  }

  /** Statistics of recent frames, as a new object. */
  get stats(): Stats {
    const frameTime = this.plan.elapsed;
    const at = (answer: Answer): number => this.#read(answer);
    this._answer(Answer.Fps);
    return {
      fps: at(Answer.Fps),
      ticksPerSecond: at(Answer.TicksPerSecond),
      frames: at(Answer.Frames),
      lagSpikes: at(Answer.LagSpikes),
      missedSteps: at(Answer.Missed),
      skippedFrames: at(Answer.Skipped),
      isRunningSlowly: at(Answer.IsSlow) !== 0,
      frameTime,
      stepTime: at(Answer.StepTime),
      drawTime: at(Answer.DrawTime),
    };
  }

  /** A percentile of the last 128 frame times in milliseconds: 0.5 is the median. Needs the full module. */
  frameTime(share: number): number {
    if (notNegative("share", share) > 1) throw new RangeError(`share must be from 0 to 1, not ${share}`);
    return needFull("frameTime()", this._module.wasm.pacer_frame_time)(this._settled(), share);
  }

  /** Where every nanosecond went. Needs the full module. */
  get ledger(): Ledger {
    needFull("the ledger", this._module.wasm.pacer_ledger)(this._settled());
    let index = 0;
    const next = (): number => this.#read(index++);
    return {
      wallNs: next(),
      headStartNs: next(),
      byHandNs: next(),
      fastForwardNs: next(),
      stretchNs: next(),
      simulatedNs: next(),
      pausedNs: next(),
      menuNs: next(),
      frozenNs: next(),
      pendingNs: next(),
      heldNs: next(),
      forfeitedNs: next(),
      droppedNs: {
        stall: next(), clamp: next(), backlog: next(), cap: next(), budget: next(), reset: next(), rate: next(),
      },
      totalInNs: next(),
      totalOutNs: next(),
      isBalanced: next() !== 0,
    };
  }

  /** Explains the last frame in one sentence. Needs the full module. */
  explain(): string {
    return this.plan.explain();
  }

  /** Saves the complete pacer as bytes, which are the same on every platform. Needs the full module. */
  save(): Uint8Array {
    const length = needFull("save()", this._module.wasm.pacer_save)(this._settled());
    return this._module.text(length).slice();
  }

  /** Restores a pacer from the bytes of `save`. It makes the same decisions as the saved one. Needs the full module. */
  static restore(bytes: Uint8Array): Pacer {
    if (!ArrayBuffer.isView(bytes)) throw new TypeError("bytes must be a Uint8Array, as from save()");
    const restore = needFull("restore()", needReady().wasm.pacer_restore);
    const pacer = new Pacer();
    const module = pacer._module;
    pacer.dispose();
    // Longer than any saved pacer is as bad as one byte too many.
    module.text(TEXT_LENGTH).set(bytes.subarray(0, TEXT_LENGTH));
    const handle = restore(Math.min(bytes.length, TEXT_LENGTH));
    if (handle === 0) {
      throw new RangeError(`not a saved pacer: ${REFUSALS[module.f64[module.answers]!]} (${bytes.length} bytes)`);
    }
    pacer.#handle = own(pacer, module, handle, "pacer");
    return pacer;
  }

  /** Frees the pacer's memory. Using it afterwards throws; disposing again does nothing. */
  dispose(): void {
    if (this.#handle !== 0) disown(this, this._module, this.#handle, "pacer");
    this.#handle = 0;
  }

  /** The handle, if the pacer was not disposed of. @internal */
  _live(): number {
    if (this.#handle === 0) throw new ReferenceError("evenstep: this pacer was disposed of");
    return this.#handle;
  }

  /** The handle, after all reports have been passed on. @internal */
  _settled(): number {
    const handle = this._live();
    if (this.#stepsDone === this.#stepsDone || this.#drawDone === this.#drawDone) {
      for (const report of this.#takeReports()) this.tell(report);
    }
    return handle;
  }

  #tell(command: Command, shown?: (name: string) => string): void {
    const { wasm } = this._module;
    const encoded = encode(command);
    const handle = this._settled();
    if ("skip" in command) return void this._frame(NaN);
    if ("pacing" in command) {
      wasm.pacing_of(handle);
      write(this._module, command.pacing, shown);
    }
    wasm.pacer_tell(handle, ...encoded);
    this.#trace?.tell(command);
  }

  /** The reports that wait for the next frame. */
  #takeReports(): Command[] {
    const reports: Command[] = [];
    if (Number.isFinite(this.#stepsDone)) reports.push({ steps_done_ns: toNanos(this.#stepsDone) });
    if (Number.isFinite(this.#drawDone)) reports.push({ draw_done_ns: toNanos(this.#drawDone) });
    this.#stepsDone = this.#drawDone = NaN;
    return reports;
  }

  /** A number of the module's answers. @internal */
  _answer(answer: Answer): number {
    this._module.wasm.pacer_answers(this._settled());
    return this.#read(answer);
  }

  #read(answer: number): number {
    return this._module.f64[this._module.answers + answer]!;
  }
}

export interface Pacer extends Owned {}
disposable(Pacer);

function since(lastFrame: number | undefined): { readonly last_frame_ns?: number } {
  return lastFrame === undefined ? {} : { last_frame_ns: toNanos(finite("lastFrame", lastFrame)) };
}

/** The length of the text buffer in `npm/wasm/src/store.rs`. */
const TEXT_LENGTH = 4096;
const REFUSALS: { readonly [reason: number]: string } = {
  [-1]: "the wasm memory is full",
  1: "the length is wrong",
  2: "another format or version",
  3: "the bytes are damaged",
  4: "a field has an invalid value",
};
