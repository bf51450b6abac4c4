/** A drop-in for the `FixedTimeStep` of `@jolly-pixel/engine`. */

import { callable, finite, object } from "./check.js";
import { Pacer } from "./pacer.js";
import { fps as fpsRate, type DisplayLock } from "./pacing.js";
import { At } from "./plan.js";
import type { Owned } from "./platform.js";
import { OWED_MAX, performanceNow } from "./ticks.js";
import type { Trace } from "./trace.js";
import { disposable } from "./wasm.js";

/** What a `FixedTimeStep` calls. */
export interface FixedTimeStepCallbacks {
  /** Runs once for each interval that has passed, with the interval in milliseconds. */
  fixedUpdate: (fixedDelta: number) => void;
  /** Runs once per `tick()`, with the position between the last two steps and the time since the last call. */
  update?: (interpolation: number, delta: number) => void;
}

/** Options that the original does not have. */
export interface FixedTimeStepOptions {
  /** Whether to follow the display's refresh; off by default, as in the original. */
  readonly displayLock?: DisplayLock | boolean;
  /** The clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
  /** Records every frame and command. */
  readonly trace?: Trace;
}

/**
 * Runs logic at a constant rate, whatever the display's: call `tick` once per animation frame.
 *
 * ```ts
 * const fixedTimeStep = new FixedTimeStep();
 * fixedTimeStep.start();
 * requestAnimationFrame(function loop() {
 *   fixedTimeStep.tick({
 *     fixedUpdate: (fixedDelta) => game.step(fixedDelta),
 *     update: (interpolation, delta) => game.draw(interpolation, delta),
 *   });
 *   requestAnimationFrame(loop);
 * });
 * ```
 *
 * If a callback throws, the exception reaches the caller of `tick`, and steps that are left run in the next `tick`. No
 * callback runs after `stop()`, even if a callback calls it.
 */
export class FixedTimeStep {
  /** The highest rate for drawing and for stepping. */
  static readonly MaxFramesPerSecond = 60;

  /** The pacer that decides. */
  readonly pacer: Pacer;
  readonly #now: () => number;
  #framesPerSecond = 60;
  #fixedFramesPerSecond = 60;
  #interval = 1000 / 60;
  #running = false;
  // Ticks that were planned and have not run yet.
  #owed = 0;
  #abandoned = 0;

  constructor(fps?: number, fixedFps?: number, options?: FixedTimeStepOptions);
  constructor(options: FixedTimeStepOptions);
  constructor(fps: number | FixedTimeStepOptions = 60, fixedFps = 60, options: FixedTimeStepOptions = {}) {
    if (typeof fps === "object") [fps, options] = [60, fps];
    object("options", options, "{ displayLock: true }");
    const { displayLock = "off", now = performanceNow, trace } = options;
    callable("now", now);
    this.#now = now;
    // `update` runs on every tick, so there is no limit on drawing.
    this.pacer = new Pacer({ profile: "fixed-time-step", displayLock, drawRate: null, ...(trace && { trace }) });
    if (fps !== 60 || fixedFps !== 60) this.setFps(fps, fixedFps);
  }

  /** The rate for drawing. It is kept as in the original; how often to draw is up to the caller of `tick`. */
  get framesPerSecond(): number {
    return this.#framesPerSecond;
  }

  /** The rate of `fixedUpdate`. */
  get fixedFramesPerSecond(): number {
    return this.#fixedFramesPerSecond;
  }

  /** Ticks that were given up because callbacks threw on one frame after another. */
  get abandonedTicks(): number {
    return this.#abandoned;
  }

  /** Sets the rates for drawing and stepping, each clamped to 1 to `MaxFramesPerSecond`. */
  setFps(fps?: number, fixedFps: number | undefined = fps): void {
    const clamped = (name: string, rate: number): number =>
      Math.max(1, Math.min(finite(name, rate), FixedTimeStep.MaxFramesPerSecond));
    const render = fps === undefined ? this.#framesPerSecond : clamped("fps", fps);
    const fixed = fixedFps === undefined ? this.#fixedFramesPerSecond : clamped("fixedFps", fixedFps);
    // Without a limit on drawing.
    this.pacer.tell({ pacing: { rate: fpsRate(this.pacer._module, "fixedFps", fixed) } });
    this.#framesPerSecond = render;
    this.#fixedFramesPerSecond = fixed;
    this.#interval = this.pacer.step;
  }

  /** Starts the clock, or starts it over: what has accumulated is dropped. */
  start(): void {
    this.pacer.resetFrameTiming(this.#now());
    this.#owed = 0;
    this.#running = true;
  }

  /** Stops. `tick` does nothing until `start`. */
  stop(): void {
    this.#running = false;
    this.#owed = 0;
  }

  /** Runs the steps that are due, then `update`. Call it once per animation frame. */
  tick(callbacks: FixedTimeStepCallbacks): void {
    if (!this.#running) return;
    object("callbacks", callbacks, "{ fixedUpdate, update }");
    if (typeof callbacks.fixedUpdate !== "function") callable("fixedUpdate", callbacks.fixedUpdate);
    const steps = this.pacer._frame(this.#now());
    const plan = this.pacer._live() >>> 3;
    const { f64 } = this.pacer._module;
    // Read before the callbacks, which may use the pacer.
    const alpha = f64[plan + At.Alpha]!;
    const delta = f64[plan + At.RawDt]!;
    if (this.#owed > OWED_MAX) {
      this.#abandoned += this.#owed - OWED_MAX;
      this.#owed = OWED_MAX;
    }
    this.#owed += steps;
    while (this.#owed > 0) {
      this.#owed--;
      callbacks.fixedUpdate(this.#interval);
    }
    if (this.#running && callbacks.update) callbacks.update(alpha, delta);
  }

  /** Stops, and frees the pacer's memory. */
  dispose(): void {
    this.stop();
    this.pacer.dispose();
  }
}

export interface FixedTimeStep extends Owned {}
disposable(FixedTimeStep);
