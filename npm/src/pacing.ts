/** The configuration of a pacer: as options in milliseconds, and as a trace has it. */

import { among, encoded, finite, notNegative, number, object, optional, positive, whole, word, type Shape } from "./check.js";
import { nanos, toNanos } from "./time.js";
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
/** A channel in a command or a trace. */
export type ChannelName =
  | "time_dilation" | "level_speed" | "juice" | "network_nudge"
  | "custom_0" | "custom_1" | "custom_2" | "custom_3";

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

/** A rate as an exact fraction. `seconds` is 1 unless given. */
export interface Fraction {
  readonly ticks: number;
  readonly seconds?: number;
}

/** Options of a configuration as a trace has them: times are in nanoseconds, and `null` switches a limit off. */
export interface PacingChange {
  readonly rate?: Fraction;
  readonly stall_ns?: number | null;
  readonly longest_frame_ns?: number | null;
  readonly backlog_ns?: number | null;
  readonly backlog_steps?: number | null;
  readonly steps_max?: number | null;
  readonly excess?: Excess;
  readonly budget_ns?: number | null;
  readonly effects?: Effects;
  readonly start_phase?: number;
  readonly draw_rate?: Fraction | null;
  readonly display_lock?: DisplayLock;
  readonly channels?: { readonly [channel in ChannelName]?: ChannelRange };
}

/** The channels as a trace has them: `time_dilation`, `custom_0`. */
const CHANNEL_NAMES = CHANNELS.map((channel) => channel.replace(/[A-Z\d]/g, (letter) => `_${letter.toLowerCase()}`) as ChannelName);

const FRACTION: Shape = { ticks: whole, seconds: optional(whole, 1) };
const RANGE: Shape = { min: number, max: number, resting: number };

/** What each option must be. Its number is its place, which must agree with `npm/wasm/src/config.rs`. Channels follow. */
const OPTIONS: { readonly [option in Exclude<keyof PacingChange, "channels">]-?: Shape } = {
  rate: FRACTION,
  stall_ns: nanos,
  longest_frame_ns: nanos,
  backlog_ns: nanos,
  backlog_steps: whole,
  steps_max: whole,
  excess: among(EXCESS),
  budget_ns: nanos,
  effects: among(EFFECTS),
  start_phase: finite,
  draw_rate: FRACTION,
  display_lock: among(LOCKS),
};
const NAMES = Object.keys(OPTIONS);

/** Starts a configuration in the module from a profile. @internal */
export function begin(module: Running, profile: Profile, change: PacingChange): void {
  const { ticks, seconds = 1 } = change.rate ?? { ticks: 60 };
  module.wasm.pacing_from(word("profile", profile, PROFILES), ticks, seconds);
  write(module, change, optionName);
}

/** Changes the configuration in the module. Errors have the names that `shown` returns. @internal */
export function write(module: Running, change: PacingChange, shown = (name: string): string => name): void {
  object("pacing", change, "{ rate: { ticks: 60 } }");
  const set = (name: string, number: number, value: unknown, shape: Shape): void => {
    if (value === undefined) return;
    // The module knows which options can be off.
    const [a = NaN, b = NaN, c = NaN] = value === null ? [Infinity] : encoded(name, value, shape);
    if (!module.wasm.pacing_set(number, a, b, c)) refuse(name, JSON.stringify(value));
  };
  const { channels = {}, ...options } = change;
  for (const [name, value] of Object.entries(options)) {
    set(shown(name), word("an option", name, NAMES), value, OPTIONS[name as keyof typeof OPTIONS]);
  }
  object("channels", channels, "{ juice: { min: 0, max: 2, resting: 1 } }");
  for (const [channel, range] of Object.entries(channels)) {
    set(shown(`channel ${channel}`), NAMES.length + channelNumber("channel", channel as ChannelName), range, RANGE);
  }
}

/** Options as a trace has them. @internal */
export function toChange(module: Running, options: PacingOptions): PacingChange {
  const change: { [name: string]: unknown } = {};
  for (const name of [...NAMES, "channels"]) {
    const option = optionName(name);
    const value: unknown = (options as { readonly [option: string]: unknown })[option];
    if (value !== undefined) change[name] = value === null && name !== "rate" ? null : converted(module, name, option, value);
  }
  return change;
}

/** What an option is in a trace: times in nanoseconds, and rates as exact fractions. */
function converted(module: Running, name: string, option: string, value: unknown): unknown {
  if (name.endsWith("_ns")) return toNanos(notNegative(option, value as number));
  if (name.endsWith("rate")) return exact(module, option, value as Rate);
  if (typeof value === "boolean" && name === "display_lock") return value ? "follow" : "off";
  if (name !== "channels") return value;
  return Object.fromEntries(Object.entries(value as object).map(([channel, range]) => [channelName(channel as Channel), range]));
}

/** The name of an option for those who gave it in milliseconds. @internal */
export function optionName(name: string): string {
  return name.replace(/_ns$/, "").replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** A rate of the original `setFps`: clamped to 1 to 60, and rounded to a millionth of a hertz. @internal */
export function fps(module: Running, name: string, hz: number): Fraction {
  const clamped = Math.max(1, Math.min(finite(name, hz), 60));
  return exact(module, name, [Math.floor(clamped * 1e6 + 0.5), 1e6]);
}

/** The name of a channel in commands. @internal */
export function channelName(channel: Channel): ChannelName {
  return CHANNEL_NAMES[word("channel", channel, CHANNELS)]!;
}

/** The number of a channel. @internal */
export function channelNumber(name: string, channel: ChannelName): number {
  return word(name, channel, CHANNEL_NAMES);
}

function exact(module: Running, name: string, rate: Rate): Fraction {
  const [ticks, seconds] = Array.isArray(rate)
    ? [whole(`${name}[0]`, rate[0]), whole(`${name}[1]`, rate[1])]
    : [positive(name, rate as number), NaN];
  if (!module.wasm.rate_of(ticks, seconds)) refuse(name, `${rate}`);
  return { ticks: module.f64[module.answers]!, seconds: module.f64[module.answers + 1]! };
}

function refuse(name: string, value: string): never {
  throw new RangeError(`${name} is out of range: ${value}`);
}
