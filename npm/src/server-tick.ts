/** Ticks for a server: exact, at absolute deadlines. */

import { callable, callableIfThere, notNegative, object, whole, word } from "./check.js";
import { Pacer } from "./pacer.js";
import type { Rate } from "./pacing.js";
import { OWED_MAX, performanceNow } from "./ticks.js";
import { disposable } from "./wasm.js";
import { At } from "./plan.js";
import type { Owned } from "./platform.js";

const POLICIES = ["catch-up", "skip", "slow-down"] as const;

/**
 * What happens to ticks that are missed because the process was busy: they run as soon as possible (`catch-up`); they are
 * left out, and the next comes when it would have come anyway (`skip`); or the next comes a whole interval later
 * (`slow-down`).
 */
export type MissedTicks = (typeof POLICIES)[number];

/** Options of a `ServerTick`. */
export interface ServerTickOptions {
  /** Ticks per second; 60 by default. */
  readonly rate?: Rate;
  /** What happens to missed ticks; `"catch-up"` by default. */
  readonly missed?: MissedTicks;
  /** With `catch-up`: how many ticks may run before the event loop gets a turn; 8 by default. */
  readonly burst?: number;
  /** With `catch-up`: how far the ticks may fall behind, in milliseconds, before some are dropped; 10 s by default. */
  readonly behindMax?: number | null;
  /** Gets what a tick throws or rejects with. Without it, errors are uncaught exceptions. The ticks go on in any case. */
  readonly onError?: (error: unknown) => void;
  /** The clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
  /** Calls back after some milliseconds; `setTimeout` by default. */
  readonly setTimer?: (wake: () => void, delay: number) => unknown;
  /** Takes a timer back; `clearTimeout` by default. */
  readonly clearTimer?: (timer: unknown) => void;
}

/**
 * How late ticks began, in milliseconds, over the last 1,024 of them, each against its own deadline. Below 0 is early, by less
 * than a millisecond.
 */
export interface Lateness {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** A timer is exact to a millisecond. A tick that is due by then runs at once, as if its time had come. */
const TIMER_MS = 1;
const WINDOW = 1024;

/**
 * Calls back at a constant rate: tick n, counted from 0, comes n + 1 intervals after the start, however late the one before
 * was. Nothing adds up, so it does not drift. It needs the full module, which node always has.
 *
 * ```ts
 * const server = new ServerTick((tick, dt) => world.step(dt), { rate: 20 });
 * server.start();
 * process.on("SIGTERM", () => server.drain());
 * ```
 */
export class ServerTick {
  /** The pacer that decides. */
  readonly pacer: Pacer;
  readonly #onTick: (tick: number, dt: number) => void | PromiseLike<void>;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #now: () => number;
  readonly #setTimer: (wake: () => void, delay: number) => unknown;
  readonly #clearTimer: (timer: unknown) => void;
  readonly #wake = (): void => this.#run();
  readonly #dt: number;
  readonly #late = new Float64Array(WINDOW);
  readonly #unfinished = new Set<PromiseLike<void>>();
  #lateCount = 0;
  #timer: unknown;
  #running = false;
  #due = 0;
  // Ticks that were planned and have not run yet, and the number after the last of them.
  #owed = 0;
  #end = 0;
  // The first tick of the last plan, and when it was due.
  #first = 0;
  #firstDue = 0;
  #abandoned = 0;

  /** @param onTick Gets the tick's number, from 0, and the interval in seconds. It may be async; ticks do not wait for it. */
  constructor(onTick: (tick: number, dt: number) => void | PromiseLike<void>, options: ServerTickOptions = {}) {
    callable("onTick", onTick);
    object("options", options, "{ rate: 20 }");
    const { rate = 60, missed = "catch-up", burst = 8, behindMax = 10_000, now = performanceNow } = options;
    callable("now", now);
    callableIfThere("onError", options.onError);
    callableIfThere("setTimer", options.setTimer);
    callableIfThere("clearTimer", options.clearTimer);
    word("missed", missed, POLICIES);
    const catchesUp = missed === "catch-up";
    this.pacer = new Pacer({
      rate,
      displayLock: "off",
      startPhase: 0,
      longestFrame: null,
      stepsMax: catchesUp ? Math.max(1, whole("burst", burst)) : 1,
      backlog: catchesUp && behindMax !== null ? notNegative("behindMax", behindMax) : null,
      excess: catchesUp ? "carry" : missed === "skip" ? "keep-phase" : "drain",
    });
    this.#onTick = onTick;
    this.#onError = options.onError;
    this.#now = now;
    this.#setTimer = options.setTimer ?? ((wake, delay) => setTimeout(wake, delay));
    this.#clearTimer = options.clearTimer ?? ((timer) => clearTimeout(timer as number));
    this.#dt = this.pacer.step / 1e3;
  }

  /** The number of the next tick: how many have run since the first start, without those that were dropped or given up. */
  get tick(): number {
    return this.pacer.tick - this.#owed;
  }

  get isRunning(): boolean {
    return this.#running;
  }

  /** How late recent ticks began. All are NaN before the first. */
  get lateness(): Lateness {
    const sorted = this.#late.slice(0, Math.min(this.#lateCount, WINDOW)).sort();
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
    return { p50: at(0.5), p99: at(0.99), max: at(1) };
  }

  /** Planned ticks that were given up: because callbacks threw on one wake-up after another, or because of `stop()`. */
  get abandonedTicks(): number {
    return this.#abandoned;
  }

  /** Starts: the first tick comes one interval from now. If it runs, this does nothing. */
  start(): void {
    if (this.#running) return;
    const now = this.#now();
    this.pacer.resetFrameTiming(now);
    // It throws without the full module. Then nothing has started.
    this.#sleep(now);
    this.#running = true;
  }

  /** Stops at once. No tick runs afterwards, even if a tick calls it: those that were due count in `abandonedTicks`. */
  stop(): void {
    this.#running = false;
    if (this.#timer !== undefined) this.#clearTimer(this.#timer);
    this.#timer = undefined;
    this.#abandon(this.#owed);
  }

  /**
   * Runs the ticks that are due by now, stops, and waits for async ticks to finish. If ticks throw and there is no `onError`,
   * the others run all the same, and the promise is rejected in the end. An async tick must not wait for it: it would wait for
   * itself.
   */
  async drain(): Promise<void> {
    const errors: unknown[] = [];
    try {
      const end = this.#now();
      while (this.#running) {
        if (this.#owed > 0) {
          try {
            this.#runOwed();
          } catch (error) {
            errors.push(error);
          }
          continue;
        }
        const due = this.#due;
        if (due > end) break;
        const steps = this.#take(end);
        this.#due = this.pacer.nextDue ?? Infinity;
        if (steps === 0 && this.#due === due) break;
      }
    } finally {
      this.stop();
    }
    await Promise.allSettled(this.#unfinished);
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} ticks threw while draining`);
    if (errors.length > 0) throw errors[0];
  }

  /** Stops, and frees the pacer's memory. */
  dispose(): void {
    this.stop();
    this.pacer.dispose();
  }

  #run(): void {
    this.#timer = undefined;
    if (!this.#running) return;
    const now = this.#now();
    if (now + TIMER_MS > this.#due) this.#plan(now);
    else this.#sleep(now);
  }

  /** Asks the pacer what is due, sleeps until the next deadline, and runs the ticks. */
  #plan(now: number): void {
    this.#take(now);
    // Before the ticks: they may stop the server, or throw.
    this.#sleep(this.#now());
    this.#runOwed();
  }

  /** Asks the pacer how many ticks are due. */
  #take(now: number): number {
    if (this.#owed > OWED_MAX) this.#abandon(this.#owed - OWED_MAX);
    this.#firstDue = this.#due;
    const steps = this.pacer._frame(Math.max(now, this.#due));
    const plan = this.pacer._live() >>> 3;
    this.#first = this.pacer._module.f64[plan + At.FirstTick]!;
    this.#end = this.#first + steps;
    this.#owed += steps;
    return steps;
  }

  /** Gives planned ticks up. Those that run later get their numbers. */
  #abandon(ticks: number): void {
    if (ticks === 0) return;
    this.#owed -= ticks;
    this.#abandoned += ticks;
    this.pacer.tick = Math.max(0, this.pacer.tick - ticks);
  }

  #runOwed(): void {
    while (this.#owed > 0) {
      const tick = this.#end - this.#owed--;
      // A reset of the pacer between an exception and the rest leaves numbers below 0.
      const end = this.pacer.plan.tickEnd(Math.max(0, tick));
      // Ticks that were skipped make the frame's first one late, too.
      const due = tick === this.#first ? Math.min(end, this.#firstDue) : end;
      this.#late[this.#lateCount++ % WINDOW] = this.#now() - due;
      this.#call(tick);
    }
  }

  #call(tick: number): void {
    let result: void | PromiseLike<void> = undefined;
    try {
      result = this.#onTick(tick, this.#dt);
    } catch (error) {
      if (!this.#onError) throw error;
      this.#onError(error);
    }
    if (result?.then) this.#follow(result);
  }

  #follow(tick: PromiseLike<void>): void {
    this.#unfinished.add(tick);
    tick.then(
      () => this.#unfinished.delete(tick),
      (error: unknown) => {
        this.#unfinished.delete(tick);
        if (this.#onError) this.#onError(error);
        else queueMicrotask(() => { throw error; });
      },
    );
  }

  #sleep(now: number): void {
    if (this.#timer !== undefined) this.#clearTimer(this.#timer);
    const due = this.pacer.nextDue;
    // A pause holds the simulation: look again after an interval.
    this.#due = due ?? now + this.#dt * 1e3;
    this.#timer = this.#setTimer(this.#wake, Math.max(0, this.#due - now));
  }
}

export interface ServerTick extends Owned {}
disposable(ServerTick);
