/** What a pacer answers: its statistics, its ledger, and where the module puts each number. */

import type { DropReason } from "./plan.js";

/** The states of the display lock, in the order of `npm/wasm/src/pacer.rs`. */
export const LOCK_STATES = ["off", "searching", "locked", "free"] as const;

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
  readonly missedSteps: number;
  /** Frames whose timestamp was not a finite number. */
  readonly skippedFrames: number;
  readonly isRunningSlowly: boolean;
  /** The time between the last two frames. */
  readonly frameTime: number;
  /** How long the last frame's steps took, as reported with `stepsDone`. */
  readonly stepTime: number;
  /** How long the last drawing took, as reported with `drawDone`. */
  readonly drawTime: number;
}

/**
 * Where all time went since the pacer was created, in nanoseconds. What came in equals what is accounted for:
 *
 *     wall + headStart + byHand + fastForward + stretch
 *         = simulated + dropped + paused + menu + frozen + pending + held + forfeited
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
  readonly forfeitedNs: number;
  readonly droppedNs: { readonly [reason in DropReason]: number };
  readonly totalInNs: number;
  readonly totalOutNs: number;
  readonly isBalanced: boolean;
}

/** Where each answer is. Must agree with `npm/wasm/src/pacer.rs`. @internal */
export const enum Answer {
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
  LongestFrameNs,
  StepsMax,
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
