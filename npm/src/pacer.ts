/** The pacer: timestamps in, plans out. */

import { finite, notNegative, number, object, positive, whole, word } from "./check.js";
import { begin, beginWith, channelNumber, type Channel, type PacingOptions, type Profile } from "./pacing.js";
import { Frame, type DropReason } from "./plan.js";
import type { Owned } from "./platform.js";
import type { Trace } from "./trace.js";
import { disown, disposable, needFull, needReady, own, type Running } from "./wasm.js";

const GATES = ["open", "paused", "menu"] as const;
const LOCK_STATES = ["off", "searching", "locked", "free"] as const;

/** What holds the simulation: nothing, a pause (wall timers run on, steps by hand work), or a menu (everything stands). */
export type Gate = (typeof GATES)[number];

/** What the display lock knows about the display. `refreshHz` is NaN unless the state is `locked`. */
export interface LockState {
  readonly state: (typeof LOCK_STATES)[number];
  readonly refreshHz: number;
}

/** Statistics of recent frames. Times are in milliseconds. */
export interface Stats {
  /** Frames per second of wall time, averaged over the last whole second. */
  readonly fps: number;
  readonly ticksPerSecond: number;
  readonly frames: number;
  readonly lagSpikes: number;
  /** The total length of all lag spikes, in steps. */
  readonly missedFrames: number;
  /** Frames whose timestamp was not a finite number. */
  readonly skippedFrames: number;
  readonly isRunningSlowly: boolean;
  /** The time between the last two frames. */
  readonly frameTime: number;
  /** How long the last frame's steps took, as reported with `stepsDone`. */
  readonly stepTime: number;
  /** How long the last drawing took, as reported with `drawDone`. */
  readonly drawTime: number;
  readonly lock: LockState;
}

/**
 * Where all time went since the pacer was created, in nanoseconds. What came in equals what is accounted for:
 *
 *     wall + headStart + byHand + fastForward + stretch
 *         = simulated + dropped + paused + menu + frozen + pending + held + followed
 *
 * Each number is exact up to 2^53 ns, which is 104 days; `isBalanced` is always exact.
 */
export interface Ledger {
  readonly wallNs: number;
  readonly headStartNs: number;
  readonly byHandNs: number;
  readonly fastForwardNs: number;
  readonly stretchNs: number;
  readonly simulatedNs: number;
  readonly pausedNs: number;
  readonly menuNs: number;
  readonly frozenNs: number;
  readonly pendingNs: number;
  readonly heldNs: number;
  readonly followedNs: number;
  readonly droppedNs: { readonly [reason in DropReason]: number };
  readonly totalInNs: number;
  readonly totalOutNs: number;
  readonly isBalanced: boolean;
}

/** Options of a pacer: its configuration, the loop that it starts from, and a trace to record into. */
export interface PacerOptions extends PacingOptions {
  /** The loop that the configuration starts from; `"evenstep"`, the recommended one, by default. */
  readonly profile?: Profile;
  /** Records every frame and control. */
  readonly trace?: Trace;
}

/** Where each answer is. Must agree with `npm/wasm/src/pacer.rs`. */
const enum Answer {
  Tick,
  WallTime,
  UiTime,
  Scale,
  Alpha,
  Pending,
  FreezeLeft,
  HitstopLeft,
  Gate,
  RateTicks,
  RateSeconds,
  Fps,
  TicksPerSecond,
  Frames,
  LagSpikes,
  Missed,
  Skipped,
  IsSlow,
  Lock,
  RefreshHz,
  StepTime,
  DrawTime,
  Channels,
  Resting = Channels + 8,
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
    begin(module, profile, options);
    this.#handle = own(this, module, module.wasm.pacer_new(), "pacer");
    this.#trace = trace;
    trace?._attach(profile, options);
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
    this.#stepsDone = this.#drawDone = NaN;
    if (this.#trace !== undefined) this.#trace.frame(now);
    return steps;
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
    return GATES[this.#answer(Answer.Gate)]!;
  }

  set gate(gate: Gate) {
    this._module.wasm.pacer_set_gate(this._settled(), word("gate", gate, GATES));
    this.#trace?._gate(gate);
  }

  /** Requests single steps while paused. They run from the next frame on. */
  stepByHand(steps = 1): void {
    this._module.wasm.pacer_step_by_hand(this._settled(), whole("steps", steps));
    this.#trace?.control({ step: steps });
  }

  /** Sets a channel of the simulation's speed. It is clamped to the channel's range on use. */
  setScale(channel: Channel, scale: number): void {
    this._module.wasm.pacer_set_scale(this._settled(), channelNumber(channel), finite("scale", scale));
    this.#trace?._scale(channel, scale);
  }

  /** Sets the resting value of a channel. The current value does not change. */
  setRestingScale(channel: Channel, scale: number): void {
    this._module.wasm.pacer_set_resting_scale(this._settled(), channelNumber(channel), finite("scale", scale));
    // In a trace, 0 means 1.
    if (channel === "timeDilation" && scale > 0) this.#trace?.control({ test_speed: scale });
    else this.#trace?._cannot(`a resting scale of ${channel}`);
  }

  /** Holds the simulation for this much wall time, from the next frame on. 0 ends a freeze. */
  hitFreeze(wallTime: number): void {
    this._module.wasm.pacer_hit_freeze(this._settled(), notNegative("wallTime", wallTime));
    this.#trace?.control({ hit_freeze_s: wallTime / 1e3 });
  }

  /** Slows the game to `intensity` for the wall time of `steps` steps. 0 steps end a hitstop. */
  hitstop(steps: number, intensity: number): void {
    this._module.wasm.pacer_hitstop(this._settled(), whole("steps", steps), notNegative("intensity", intensity));
    this.#trace?.control({ hitstop: { frames: steps, intensity } });
  }

  /** Runs additional ticks in the next frame that simulates, regardless of all limits. */
  fastForward(ticks: number): void {
    this._module.wasm.pacer_fast_forward(this._settled(), whole("ticks", ticks));
    this.#trace?._cannot("fast-forwarding");
  }

  /** The number of ticks run since the pacer was created or reset. */
  get tick(): number {
    return this.#answer(Answer.Tick);
  }

  set tick(tick: number) {
    this._module.wasm.pacer_set_tick(this._settled(), whole("tick", tick, Number.MAX_SAFE_INTEGER));
    this.#trace?._cannot("setting the tick");
  }

  /** Changes the configuration. Clocks, channel values and pending time stay. */
  configure(options: PacingOptions): void {
    object("options", options, "{ rate: 60 }");
    const handle = this._settled();
    beginWith(this._module, handle, options);
    this._module.wasm.pacer_configure(handle);
    this.#trace?._cannot("changing the configuration");
  }

  /** Sets the rates for drawing and stepping, each clamped to 1 to 60, like `FixedTimeStep.setFps`. */
  setFps(render: number, fixed = render): void {
    this._module.wasm.pacer_set_fps(this._settled(), finite("render", render), finite("fixed", fixed));
    this.#trace?.control({ set_fps: { render, fixed } });
  }

  /** Draws every frame again after `setFps`. @internal */
  _withoutDrawLimit(): void {
    const handle = this._settled();
    beginWith(this._module, handle, { drawRate: null });
    this._module.wasm.pacer_configure(handle);
  }

  /** Stops the clock until the next frame, as for a page in the background. Nothing jumps on return. */
  goAway(): void {
    this._module.wasm.pacer_go_away(this._settled());
    this.#trace?._cannot("going away");
  }

  /** Drops pending time and measures the next frame against `lastFrame`. Without it, the next frame starts the clock. */
  resetFrameTiming(lastFrame?: number): void {
    const handle = this._settled();
    this._module.wasm.pacer_reset_frame_timing(handle, lastFrame === undefined ? NaN : finite("lastFrame", lastFrame));
    this.#trace?._reset("frame_timing", lastFrame);
  }

  /** Resets everything that a game can observe, as for a new game. The configuration and the ledger stay. */
  reset(lastFrame?: number): void {
    const handle = this._settled();
    this._module.wasm.pacer_reset(handle, lastFrame === undefined ? NaN : finite("lastFrame", lastFrame));
    this.#trace?._reset("new_game", lastFrame);
  }

  /** Tells the display lock the display's refresh period, if it is known. A wrong hint is harmless. */
  hintRefresh(period: number): void {
    this._module.wasm.pacer_hint_refresh(this._settled(), positive("period", period));
    this.#trace?._cannot("a hint of the refresh");
  }

  /**
   * Tells the display lock that frames appear when they are ready rather than on a fixed refresh. Timestamps alone cannot tell
   * such frames from a fixed refresh with noise.
   */
  setVariableRefresh(isVariable: boolean): void {
    this._module.wasm.pacer_set_variable_refresh(this._settled(), isVariable ? 1 : 0);
    this.#trace?._cannot("a variable refresh");
  }

  /** Reports when the display showed the frame that was planned at `now`, if that is known. Needs the full module. */
  presented(now: number, at: number): void {
    needFull("presented()", this._module.wasm.pacer_presented)(this._settled(), finite("now", now), finite("at", at));
    this.#trace?._cannot("presentation feedback");
  }

  /** When the last frame is shown, in milliseconds, or `undefined` while that is not known. Needs the full module. */
  get shownAt(): number | undefined {
    const at = needFull("shownAt", this._module.wasm.pacer_shown_at)(this._settled());
    return at === at ? at : undefined;
  }

  /** All time between timestamps, including dropped time, in milliseconds. */
  get wallTime(): number {
    return this.#answer(Answer.WallTime);
  }

  /** Wall time after the limits, in milliseconds. Scales, pauses and freezes do not affect it; a menu stops it. */
  get uiTime(): number {
    return this.#answer(Answer.UiTime);
  }

  /** Game seconds per wall second: the product of the channels, including hitstop. */
  get scale(): number {
    return this.#answer(Answer.Scale);
  }

  /** The position of the last frame between the last two ticks: 0 <= alpha < 1. */
  get alpha(): number {
    return this.#answer(Answer.Alpha);
  }

  /** The pending game time in milliseconds. */
  get pending(): number {
    return this.#answer(Answer.Pending);
  }

  /** The remaining wall time of the hit-freeze in milliseconds. */
  get freezeLeft(): number {
    return this.#answer(Answer.FreezeLeft);
  }

  /** The remaining wall time of the hitstop in milliseconds. */
  get hitstopLeft(): number {
    return this.#answer(Answer.HitstopLeft);
  }

  get isInHitstop(): boolean {
    return this.hitstopLeft > 0;
  }

  /** The length of a step in milliseconds. */
  get step(): number {
    return (this.#answer(Answer.RateSeconds) * 1e3) / this.#read(Answer.RateTicks);
  }

  /** The rate of the simulation as an exact fraction: ticks over seconds. */
  get rate(): readonly [ticks: number, seconds: number] {
    return [this.#answer(Answer.RateTicks), this.#read(Answer.RateSeconds)];
  }

  /** The value a channel was set to, before clamping. */
  channel(channel: Channel): number {
    return this.#answer(Answer.Channels + channelNumber(channel));
  }

  /** The resting value of a channel. */
  restingScale(channel: Channel): number {
    return this.#answer(Answer.Resting + channelNumber(channel));
  }

  /**
   * The time at which the next frame has something to do, in milliseconds, or `undefined` while the simulation is held.
   * For loops that sleep between ticks. Needs the full module.
   */
  get nextDue(): number | undefined {
    const due = needFull("nextDue", this._module.wasm.pacer_next_due)(this._settled());
    return due === due ? due : undefined;
  }

  /** Statistics of recent frames, as a new object. */
  get stats(): Stats {
    const frameTime = this.plan.elapsed;
    const at = (answer: Answer): number => this.#read(answer);
    this.#answer(Answer.Fps);
    return {
      fps: at(Answer.Fps),
      ticksPerSecond: at(Answer.TicksPerSecond),
      frames: at(Answer.Frames),
      lagSpikes: at(Answer.LagSpikes),
      missedFrames: at(Answer.Missed),
      skippedFrames: at(Answer.Skipped),
      isRunningSlowly: at(Answer.IsSlow) !== 0,
      frameTime,
      stepTime: at(Answer.StepTime),
      drawTime: at(Answer.DrawTime),
      lock: { state: LOCK_STATES[at(Answer.Lock)]!, refreshHz: at(Answer.RefreshHz) },
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
      followedNs: next(),
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
    needFull("save()", this._module.wasm.pacer_save)(this._settled());
    return this._module.text(SAVED_LENGTH).slice();
  }

  /** Restores a pacer from the bytes of `save`. It makes the same decisions as the saved one. Needs the full module. */
  static restore(bytes: Uint8Array): Pacer {
    if (!ArrayBuffer.isView(bytes)) throw new TypeError("bytes must be a Uint8Array, as from save()");
    const restore = needFull("restore()", needReady().wasm.pacer_restore);
    const pacer = new Pacer();
    const module = pacer._module;
    pacer.dispose();
    if (bytes.length !== SAVED_LENGTH) throw new RangeError(`not a saved pacer: ${bytes.length} bytes instead of ${SAVED_LENGTH}`);
    module.text(SAVED_LENGTH).set(bytes);
    const handle = restore(SAVED_LENGTH);
    if (handle === 0) throw new RangeError(`not a saved pacer: ${REFUSALS[module.f64[module.answers]!]}`);
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
    if (this.#stepsDone === this.#stepsDone) this._module.wasm.pacer_steps_done(handle, this.#stepsDone);
    if (this.#drawDone === this.#drawDone) this._module.wasm.pacer_draw_done(handle, this.#drawDone);
    this.#stepsDone = this.#drawDone = NaN;
    return handle;
  }

  #answer(answer: number): number {
    this._module.wasm.pacer_answers(this._settled());
    return this.#read(answer);
  }

  #read(answer: number): number {
    return this._module.f64[this._module.answers + answer]!;
  }
}

export interface Pacer extends Owned {}
disposable(Pacer);

const SAVED_LENGTH = 2048;
const REFUSALS: { readonly [reason: number]: string } = {
  [-1]: "the wasm memory is full",
  1: "the length is wrong",
  2: "another format or version",
  3: "the bytes are damaged",
  4: "a field has an invalid value",
};
