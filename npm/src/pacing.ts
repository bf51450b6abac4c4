/** The configuration of a pacer. */

import { finite, notNegative, number, object, positive, whole, word } from "./check.js";
import type { Running } from "./wasm.js";

/** A rate: hertz, or exactly as ticks over seconds. `[60000, 1001]` is NTSC's 59.94 Hz, and so is 59.94. */
export type Rate = number | readonly [ticks: number, seconds: number];

const PROFILES = ["evenstep", "starship", "fixed-time-step", "game-loop"] as const;
const EXCESS = ["keep-phase", "drain", "carry"] as const;
const EFFECTS = ["composed", "classic"] as const;
const LOCKS = ["off", "follow", "rate-lock"] as const;
const CHANNELS = [
  "timeDilation", "levelSpeed", "juice", "networkNudge", "custom0", "custom1", "custom2", "custom3",
] as const;

/** The loop that a configuration starts from: the recommended one, or one of the three original loops. */
export type Profile = (typeof PROFILES)[number];
/**
 * What happens to whole steps beyond the step cap: dropped, keeping the phase relative to the display (`keep-phase`);
 * dropped with everything that is pending (`drain`); or run in later frames (`carry`).
 */
export type Excess = (typeof EXCESS)[number];
/** How hit-freeze and hitstop combine with earlier effects: `classic` as in the original loops. */
export type Effects = (typeof EFFECTS)[number];
/** Whether the pacer follows the display's refresh (`follow`) or the raw timestamps (`off`). */
export type DisplayLock = (typeof LOCKS)[number];
/** One factor of the simulation's speed. The speed is the product of all of them. */
export type Channel = (typeof CHANNELS)[number];

/** Limits on a channel, and the value that it has at the start and returns to. */
export interface ChannelRange {
  readonly min: number;
  readonly max: number;
  readonly resting: number;
}

/**
 * How a pacer turns time into steps. Times are in milliseconds, and `null` switches a limit off. What is left out is as
 * in the profile.
 */
export interface PacingOptions {
  /** Steps per second; 60 by default. */
  readonly rate?: Rate;
  /** A longer gap is dropped as a whole. */
  readonly stall?: number | null;
  /** A frame counts for this much at most. */
  readonly longestFrame?: number | null;
  /** How much game time may be pending. */
  readonly backlog?: number | null;
  /** How many steps may be pending. */
  readonly backlogSteps?: number | null;
  /** How many steps a frame may run at speed 1. */
  readonly stepsMax?: number | null;
  readonly excess?: Excess;
  /** Steps after the first must fit into this wall time, together with the drawing. Needs reports: `Pacer.stepsDone`. */
  readonly budget?: number | null;
  readonly effects?: Effects;
  /** The share of a step that is pending at the start, 0 <= share < 1. */
  readonly startPhase?: number;
  /** A limit on `Frame.shouldDraw`. */
  readonly drawRate?: Rate | null;
  /** `true` is `"follow"`. */
  readonly displayLock?: DisplayLock | boolean;
  readonly channels?: { readonly [channel in Channel]?: ChannelRange };
}

/** The settings that are one number, in the order of `npm/wasm/src/config.rs`. */
const LIMITS = [["stall", 1], ["longestFrame", 2], ["backlog", 3], ["budget", 7]] as const;
const COUNTS = [["backlogSteps", 4], ["stepsMax", 5]] as const;

/** Starts a configuration in the module from a profile. @internal */
export function begin(module: Running, profile: Profile, options: PacingOptions): void {
  const [ticks, seconds] = split("rate", options.rate === undefined ? 60 : options.rate);
  if (!module.wasm.pacing_from(word("profile", profile, PROFILES), ticks, seconds)) refuse("rate", options.rate);
  change(module, options, false);
}

/** Starts a configuration in the module from that of a pacer. @internal */
export function beginWith(module: Running, pacer: number, options: PacingOptions): void {
  module.wasm.pacing_of(pacer);
  change(module, options, true);
}

/** The number of a channel. @internal */
export function channelNumber(channel: Channel): number {
  return word("channel", channel, CHANNELS);
}

function change(module: Running, options: PacingOptions, withRate: boolean): void {
  const set = (name: string, setting: number, value: unknown, a: number, b = NaN, c = NaN): void => {
    if (!module.wasm.pacing_set(setting, a, b, c)) refuse(name, value);
  };
  for (const [name, setting] of LIMITS) {
    const value = options[name];
    if (value !== undefined) set(name, setting, value, value === null ? Infinity : notNegative(name, value));
  }
  for (const [name, setting] of COUNTS) {
    const value = options[name];
    if (value !== undefined) set(name, setting, value, value === null ? Infinity : whole(name, value));
  }
  const { rate, excess, effects, startPhase, drawRate, displayLock, channels } = options;
  if (withRate && rate !== undefined) set("rate", 0, rate, ...split("rate", rate));
  if (excess !== undefined) set("excess", 6, excess, word("excess", excess, EXCESS));
  if (effects !== undefined) set("effects", 8, effects, word("effects", effects, EFFECTS));
  if (startPhase !== undefined) set("startPhase", 9, startPhase, finite("startPhase", startPhase));
  if (drawRate === null) set("drawRate", 10, drawRate, Infinity);
  else if (drawRate !== undefined) set("drawRate", 10, drawRate, ...split("drawRate", drawRate));
  if (displayLock !== undefined) {
    const lock = typeof displayLock === "boolean" ? (displayLock ? "follow" : "off") : displayLock;
    set("displayLock", 11, lock, word("displayLock", lock, LOCKS));
  }
  for (const name in channels) {
    const range = channels[name as Channel];
    if (range === undefined) continue;
    object(`channel ${name}`, range, "{ min: 0, max: 2, resting: 1 }");
    const of = (part: keyof ChannelRange): number => number(`channel ${name}.${part}`, range[part]);
    const [min, max, resting] = [of("min"), of("max"), of("resting")];
    set(`channel ${name}`, 12 + channelNumber(name as Channel), JSON.stringify(range), min, max, resting);
  }
}

function split(name: string, rate: Rate): [number, number] {
  if (Array.isArray(rate)) return [whole(`${name}[0]`, rate[0]), whole(`${name}[1]`, rate[1])];
  return [positive(name, rate as number), NaN];
}

function refuse(name: string, value: unknown): never {
  throw new RangeError(`${name} is out of range: ${value}`);
}
