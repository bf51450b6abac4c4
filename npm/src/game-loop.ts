/** A drop-in for the classic `GameLoop` class, with pause, single steps and an input latch. */

import { callable, callableIfThere, finite, notNegative, object, positive, whole } from "./check.js";
import type { InputLatch } from "./input-latch.js";
import { Pacer } from "./pacer.js";
import type { DisplayLock } from "./pacing.js";
import { At } from "./plan.js";
import type { Owned } from "./platform.js";
import { OWED_MAX, performanceNow } from "./ticks.js";
import type { Trace } from "./trace.js";
import { disposable } from "./wasm.js";

/** What a `GameLoop` calls. Times are in seconds. */
export interface GameLoopCallbacks {
  /** Runs one step. `tick` is its number, from 0. */
  onFixedUpdate: (fixedDelta: number, now: number, tick: number) => void;
  /** Draws: `delta` is the frame's time after limits and time scale, `interpolation` lies between the last two steps. */
  onRenderUpdate: (delta: number, interpolation: number, now: number) => void;
  /** A frame was longer than 0.25 s, by this many steps in total; the rest of it is dropped. */
  onLagSpike?: (missedSteps: number) => void;
}

/** Options that the original does not have. */
export interface GameLoopOptions<E = unknown> {
  /** Whether to follow the display's refresh; off by default, as in the original. */
  readonly displayLock?: DisplayLock | boolean;
  /** Events for `takeInput`. The loop does not dispose of the latch. */
  readonly input?: InputLatch<E>;
  /** Whether time in a hidden page is no time at all, instead of a lag spike on return. Off by default. */
  readonly ignoreHidden?: boolean;
  /** The clock in milliseconds, on the time line of the frames; `performance.now` by default. */
  readonly now?: () => number;
  /** Asks for the next frame; `requestAnimationFrame` by default, or a timer where there is none. */
  readonly requestFrame?: (frame: (now: number) => void) => number;
  /** Takes a request back. */
  readonly cancelFrame?: (request: number) => void;
  /** Records every frame and command. */
  readonly trace?: Trace;
}

/** Statistics of a `GameLoop`. Times are in milliseconds. */
export interface GameLoopStats {
  fps: number;
  /** The time between the last two frames. */
  frameTime: number;
  /** How long the last frame's steps took. */
  physicsTime: number;
  /** How long the last drawing took. */
  renderTime: number;
  lagSpikes: number;
  interpolation: number;
  timeScale: number;
  isInHitstop: boolean;
}

/**
 * A loop that asks for its own animation frames.
 *
 * ```ts
 * const loop = new GameLoop({
 *   onFixedUpdate: (fixedDelta) => game.step(fixedDelta),
 *   onRenderUpdate: (delta, interpolation) => game.draw(interpolation),
 * });
 * loop.start();
 * ```
 *
 * If a callback throws, the exception reaches whoever called the frame (in a page, its `error` event), the loop goes
 * on, and steps that are left run in the next frame. No callback runs after `stop()`, even if a callback calls it.
 */
export class GameLoop<E = unknown> {
  /** The pacer that decides. */
  readonly pacer: Pacer;
  /** The latch of the options. */
  readonly input: InputLatch<E> | undefined;
  readonly #callbacks: GameLoopCallbacks;
  readonly #fixedTimestep: number;
  readonly #ignoreHidden: boolean;
  readonly #now: () => number;
  readonly #request: (frame: (now: number) => void) => number;
  readonly #cancel: (request: number) => void;
  readonly #frame = (now: number): void => this.#run(now);
  #running = false;
  #pending: number | undefined;
  #owed = 0;
  #abandoned = 0;
  // The tick that runs now, for `takeInput`.
  #tick = -1;

  constructor(callbacks: GameLoopCallbacks, fixedTimestep = 1 / 60, options: GameLoopOptions<E> = {}) {
    object("callbacks", callbacks, "{ onFixedUpdate, onRenderUpdate }");
    object("options", options, "{ displayLock: true }");
    callable("onFixedUpdate", callbacks.onFixedUpdate);
    callable("onRenderUpdate", callbacks.onRenderUpdate);
    callableIfThere("onLagSpike", callbacks.onLagSpike);
    const { displayLock = "off", now = performanceNow, trace } = options;
    callable("now", now);
    callableIfThere("requestFrame", options.requestFrame);
    callableIfThere("cancelFrame", options.cancelFrame);
    if (options.input !== undefined) object("input", options.input, "new InputLatch()");
    this.#callbacks = callbacks;
    this.#fixedTimestep = positive("fixedTimestep", fixedTimestep);
    this.#now = now;
    this.#request = options.requestFrame ?? requestFrame;
    this.#cancel = options.cancelFrame ?? cancelFrame;
    this.#ignoreHidden = options.ignoreHidden ?? false;
    this.input = options.input;
    this.pacer = new Pacer({ profile: "game-loop", rate: 1 / fixedTimestep, displayLock, ...(trace && { trace }) });
  }

  get isRunning(): boolean {
    return this.#running;
  }

  /** Starts the clock and runs the first frame. If the loop runs, this does nothing. */
  start(): void {
    if (this.#running) return;
    const now = this.#now();
    // The frame below starts the clock, and ends no interval.
    this.pacer.resetFrameTiming();
    this.#owed = 0;
    this.#running = true;
    if (this.#ignoreHidden) globalThis.document?.addEventListener("visibilitychange", this.#hidden);
    this.#run(now);
  }

  /** Stops. Hitstop, time scale and statistics stay. */
  stop(): void {
    this.#running = false;
    this.#owed = 0;
    if (this.#pending !== undefined) this.#cancel(this.#pending);
    this.#pending = undefined;
    if (this.#ignoreHidden) globalThis.document?.removeEventListener("visibilitychange", this.#hidden);
  }

  /** Slows the game to `intensity` for as long as `frames` steps take. */
  triggerHitstop(frames = 3, intensity = 0.1): void {
    this.pacer.hitstop(whole("frames", frames), notNegative("intensity", intensity));
  }

  /** Sets the speed. Negative values count as 0. */
  setTimeScale(scale: number): void {
    this.pacer.setScale("timeDilation", finite("scale", scale));
  }

  /** Holds the simulation. Frames are drawn on, and `step` runs single steps. */
  pause(): void {
    this.pacer.gate = "paused";
  }

  resume(): void {
    this.pacer.gate = "open";
  }

  get isPaused(): boolean {
    return this.pacer.gate !== "open";
  }

  /** Runs single steps while paused, from the next frame on. */
  step(steps = 1): void {
    this.pacer.stepByHand(steps);
  }

  /**
   * The next event of the step that runs now, or `undefined` if there are no more. Every event is given to exactly one
   * step: call it from `onFixedUpdate` until nothing is left.
   */
  takeInput(): E | undefined {
    return this.#tick < 0 ? undefined : this.input?.take(this.pacer.plan, this.#tick);
  }

  getStats(): GameLoopStats {
    const { fps, frameTime, stepTime, drawTime, lagSpikes } = this.pacer.stats;
    return {
      fps: Math.round(fps),
      frameTime,
      physicsTime: stepTime,
      renderTime: drawTime,
      lagSpikes,
      interpolation: this.pacer.alpha,
      timeScale: this.pacer.scale,
      isInHitstop: this.pacer.isInHitstop,
    };
  }

  /** Ticks that were given up because callbacks threw on one frame after another. */
  get abandonedTicks(): number {
    return this.#abandoned;
  }

  /** Stops, and frees the pacer's memory. */
  dispose(): void {
    this.stop();
    this.pacer.dispose();
  }

  #run(now: number): void {
    if (!this.#running) return;
    // First of all, so that an exception does not end the loop.
    this.#pending = this.#request(this.#frame);
    const { pacer, input } = this;
    const callbacks = this.#callbacks;
    const steps = pacer._frame(now);
    const plan = pacer._live() >>> 3;
    const { f64 } = pacer._module;
    // Read before the callbacks, which may use the pacer.
    const alpha = f64[plan + At.Alpha]!;
    const delta = f64[plan + At.ScaledDt]! / 1e3;
    const missed = f64[plan + At.Missed]!;
    const seconds = now / 1e3;
    const end = f64[plan + At.FirstTick]! + steps;
    if (this.#owed > OWED_MAX) {
      this.#abandoned += this.#owed - OWED_MAX;
      this.#owed = OWED_MAX;
    }
    this.#owed += steps;
    // On a frame without ticks nothing is taken, and the latch still has to see the clock.
    if (input !== undefined) input.sync(now);
    if (missed > 0 && callbacks.onLagSpike) callbacks.onLagSpike(missed);
    if (this.#owed > 0) this.#step(end, seconds);
    if (!this.#running) return;
    pacer.stepsDone(this.#now());
    callbacks.onRenderUpdate(delta, alpha, seconds);
    if (this.#running) pacer.drawDone(this.#now());
  }

  /** Runs the ticks before `end` that have not run yet. */
  #step(end: number, seconds: number): void {
    try {
      while (this.#owed > 0) {
        this.#tick = end - this.#owed--;
        this.#callbacks.onFixedUpdate(this.#fixedTimestep, seconds, this.#tick);
      }
    } finally {
      this.#tick = -1;
    }
  }

  readonly #hidden = (): void => {
    this.pacer.suspend();
  };
}

export interface GameLoop<E> extends Owned {}
disposable(GameLoop);

function requestFrame(frame: (now: number) => void): number {
  if (globalThis.requestAnimationFrame) return globalThis.requestAnimationFrame(frame);
  return setTimeout(() => frame(performance.now()), 1000 / 60) as unknown as number;
}

function cancelFrame(request: number): void {
  if (globalThis.cancelAnimationFrame) globalThis.cancelAnimationFrame(request);
  else clearTimeout(request);
}
