/** A drop-in for the loop module of Starship Survivors. */

import { callable, callableIfThere, finite, notNegative, object, word } from "./check.js";
import { Pacer } from "./pacer.js";
import type { Channel, DisplayLock } from "./pacing.js";
import { At } from "./plan.js";
import type { Owned } from "./platform.js";
import { OWED_MAX } from "./ticks.js";
import type { Trace } from "./trace.js";
import { disposable } from "./wasm.js";

/** The step in seconds. */
export const SIM_DT = 1 / 60;
/** The step cap at speed 1. It grows with the speed. */
export const MAX_STEPS_BASE = 4;
/** The most time that may accumulate, in seconds. */
export const MAX_ACCUM = 0.25;
/** The longest `rawDt`, in seconds. */
export const RAW_DT_MAX = 0.033;
/** A longer gap between frames is a stall, in seconds. */
export const STALL = 0.2;

const PHASES = ["menu", "birth", "playing", "dead"] as const;

/** The phases of the game. In `menu` everything stands. */
export type Phase = (typeof PHASES)[number];

/** What a `StarshipLoop` calls. */
export interface StarshipCallbacks {
  /** Runs one step of `SIM_DT` seconds. */
  stepSimulation: (simDt: number) => void;
  /** Time was dropped by a stall or by the step cap: the place to empty the physics world's accumulator. */
  onTimeDropped?: () => void;
  /** `startNewGame` was called: the place to reset the game's state. */
  onNewGame?: () => void;
}

/** Options that the original does not have. */
export interface StarshipOptions {
  /** Whether to follow the display's refresh; off by default, as in the original. */
  readonly displayLock?: DisplayLock | boolean;
  /** Records every frame and command. */
  readonly trace?: Trace;
}

/**
 * The fixed-timestep loop of a game that is driven by `gameLoopTick` once per animation frame.
 *
 * ```ts
 * const loop = new StarshipLoop({ stepSimulation: (simDt) => game.step(simDt) });
 * loop.startNewGame();
 * requestAnimationFrame(function frame(timestamp) {
 *   loop.gameLoopTick(timestamp);
 *   updateSystems(loop.dt);
 *   render();
 *   requestAnimationFrame(frame);
 * });
 * ```
 *
 * The channels `timeDilation`, `levelSpeedMult` and `juiceDilation` multiply; what a step writes to them acts from the
 * next frame on. Times are in seconds, except for `wallTime`.
 */
export class StarshipLoop {
  /** The pacer that decides. */
  readonly pacer: Pacer;
  readonly #callbacks: StarshipCallbacks;
  #phase: Phase = "playing";
  #testSpeedMult = 1;
  #dt = 0;
  #rawDt = 0;
  #steps = 0;
  #owed = 0;
  #abandoned = 0;
  // The UI time at which the inverted screen ends, in milliseconds.
  #invertEnd = 0;

  constructor(callbacks: StarshipCallbacks, options: StarshipOptions = {}) {
    object("callbacks", callbacks, "{ stepSimulation }");
    object("options", options, "{ displayLock: true }");
    callable("stepSimulation", callbacks.stepSimulation);
    callableIfThere("onTimeDropped", callbacks.onTimeDropped);
    callableIfThere("onNewGame", callbacks.onNewGame);
    const { displayLock = "off", trace } = options;
    this.#callbacks = callbacks;
    this.pacer = new Pacer({ profile: "starship", displayLock, ...(trace && { trace }) });
    this.pacer.resetFrameTiming(0);
  }

  /** Runs one frame. `timestamp` is that of `requestAnimationFrame`, in milliseconds. */
  gameLoopTick(timestamp: number): void {
    const { pacer } = this;
    const steps = pacer._frame(timestamp);
    const plan = pacer._live() >>> 3;
    const { f64 } = pacer._module;
    this.#steps = steps;
    this.#dt = steps * SIM_DT;
    this.#rawDt = f64[plan + At.RawDt]! / 1e3;
    if (this.#owed > OWED_MAX) {
      this.#abandoned += this.#owed - OWED_MAX;
      this.#owed = OWED_MAX;
    }
    this.#owed += steps;
    // Only the step cap drops from a frame that ran: the clamp on `rawDt` leaves the accumulators alone.
    const isDropped = pacer.plan.outcome === "stalled" || (steps >= MAX_STEPS_BASE && pacer.plan.droppedBy("cap") > 0);
    if (isDropped) this.#callbacks.onTimeDropped?.();
    while (this.#owed > 0) {
      this.#owed--;
      this.#callbacks.stepSimulation(SIM_DT);
    }
  }

  /**
   * Drops what has accumulated and measures the next frame against `lastFrame`: by default against 0, as a test runner needs
   * it before it sends synthetic frames.
   */
  resetFrameTiming(lastFrame = 0): void {
    this.pacer.resetFrameTiming(finite("lastFrame", lastFrame));
    this.#owed = 0;
  }

  /**
   * Starts over: clocks, ticks, channels and freezes are as at the beginning, and the phase is `playing`.
   *
   * The next frame is measured against `lastFrame`. The default of 0 is the original's, whose first frame of a new game is
   * a stall; pass the present timestamp to lose nothing.
   */
  startNewGame(lastFrame = 0): void {
    this.pacer.reset(finite("lastFrame", lastFrame));
    this.#dt = this.#rawDt = this.#steps = this.#owed = this.#invertEnd = 0;
    this.#testSpeedMult = 1;
    this.#phase = "playing";
    this.#callbacks.onNewGame?.();
  }

  /** The game time that the last frame's steps simulated: `stepsThisFrame * SIM_DT`. */
  get dt(): number {
    return this.#dt;
  }

  /** The wall time of the last frame, after the limits. */
  get rawDt(): number {
    return this.#rawDt;
  }

  /** The number of steps that the last frame ran. */
  get stepsThisFrame(): number {
    return this.#steps;
  }

  /** The number of steps since the start of the game. */
  get simFrame(): number {
    return this.pacer.tick;
  }

  /** Wall time after the limits, in milliseconds. It runs on in a freeze and stops in a menu. */
  get wallTime(): number {
    return this.pacer.uiTime;
  }

  /** Wall time after the limits, in seconds. */
  get uiTime(): number {
    return this.pacer.uiTime / 1e3;
  }

  /** The phase of the game. `menu` stops everything, `timeDilation` and timers included. */
  get phase(): Phase {
    return this.#phase;
  }

  set phase(phase: Phase) {
    word("phase", phase, PHASES);
    this.pacer.gate = phase === "menu" ? "menu" : "open";
    this.#phase = phase;
  }

  /** The global speed. The end of a hit-freeze returns it to `testSpeedMult`. */
  get timeDilation(): number {
    return this.pacer.channel("timeDilation");
  }

  set timeDilation(scale: number) {
    this.#setScale("timeDilation", scale);
  }

  /** The pace of the level. */
  get levelSpeedMult(): number {
    return this.pacer.channel("levelSpeed");
  }

  set levelSpeedMult(scale: number) {
    this.#setScale("levelSpeed", scale);
  }

  /** Slow motion for effect, clamped to 0.1 to 1 on use. The loop never writes it: whoever does must take it back. */
  get juiceDilation(): number {
    return this.pacer.channel("juice");
  }

  set juiceDilation(scale: number) {
    this.#setScale("juice", scale);
  }

  /** The product of the three channels. */
  get simRate(): number {
    return this.pacer.scale;
  }

  /** What `timeDilation` is after a hit-freeze; 0 means 1. */
  get testSpeedMult(): number {
    return this.#testSpeedMult;
  }

  set testSpeedMult(speed: number) {
    this.pacer.setRestingScale("timeDilation", notNegative("testSpeedMult", speed) || 1);
    this.#testSpeedMult = speed;
  }

  /** The wall time for which the simulation is still held. Set it to hold the simulation. */
  get hitFreezeTimer(): number {
    return this.pacer.freezeLeft / 1e3;
  }

  set hitFreezeTimer(wallTime: number) {
    this.pacer.hitFreeze(notNegative("hitFreezeTimer", wallTime) * 1e3);
  }

  /** The wall time for which the screen is still inverted. It runs on in a freeze. */
  get invertScreenTimer(): number {
    return Math.max(0, this.#invertEnd - this.pacer.uiTime) / 1e3;
  }

  set invertScreenTimer(wallTime: number) {
    this.#invertEnd = this.pacer.uiTime + notNegative("invertScreenTimer", wallTime) * 1e3;
  }

  /** Ticks that were given up because callbacks threw on one frame after another. */
  get abandonedTicks(): number {
    return this.#abandoned;
  }

  /** Frees the pacer's memory. */
  dispose(): void {
    this.#owed = 0;
    this.pacer.dispose();
  }

  #setScale(channel: Channel, scale: number): void {
    this.pacer.setScale(channel, finite(channel, scale));
  }
}

export interface StarshipLoop extends Owned {}
disposable(StarshipLoop);
