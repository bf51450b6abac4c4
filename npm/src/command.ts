/** The vocabulary: everything that a pacer can be told, spelled as in a trace. */

import { among, boolean, encoded, finite, notNegative, object, optional, whole, word, type Check, type Shape } from "./check.js";
import { channelNumber, type ChannelName, type PacingChange } from "./pacing.js";
import { nanos } from "./time.js";

/** The names of the gates, in the order of `npm/wasm/src/command.rs`. */
export const GATES = ["open", "paused", "menu"] as const;
const RESETS = ["frame_timing", "new_game"] as const;

/** What holds the simulation: nothing, a pause (wall timers run on, steps by hand work), or a menu (everything stands). */
export type Gate = (typeof GATES)[number];

/** A channel of the simulation's speed, and its value: game seconds per wall second. */
export interface ChannelValue {
  readonly channel: ChannelName;
  readonly value: number;
}

/**
 * Something that a game, a player or a host tells a pacer between two frames: `Pacer.tell` carries it out, and every method
 * that controls a pacer is short for it.
 *
 * A command is the object in a line of a trace, so it can be recorded, replayed or sent to another machine. Times are in
 * nanoseconds.
 */
export type Command =
  /** Holds or releases the simulation. */
  | { readonly gate: Gate }
  /** Requests single steps while paused. */
  | { readonly step: number }
  /** Sets a channel of the simulation's speed. */
  | { readonly scale: ChannelValue }
  /** Sets the resting value of a channel. */
  | { readonly resting_scale: ChannelValue }
  /** Holds the simulation for this much wall time. */
  | { readonly hit_freeze_ns: number }
  /** Slows the game to `intensity` for the wall time of `frames` steps. */
  | { readonly hitstop: { readonly frames: number; readonly intensity: number } }
  /** Runs additional ticks in the next frame that simulates. */
  | { readonly fast_forward: number }
  /** Sets the tick counter. */
  | { readonly tick: number }
  /** Changes the configuration. Options that are left out stay as they are. */
  | { readonly pacing: PacingChange }
  /** Stops the clock until the next frame. */
  | { readonly suspend: true }
  /** Starts over. The next frame is measured against `last_frame_ns`; without it, it starts the clock. */
  | { readonly reset: { readonly kind: (typeof RESETS)[number]; readonly last_frame_ns?: number } }
  /** Tells the display lock the display's refresh period. */
  | { readonly refresh_ns: number }
  /** Tells the display lock whether frames appear when they are ready rather than on a fixed refresh. */
  | { readonly variable_refresh: boolean }
  /** Reports when the display showed the frame with this timestamp. */
  | { readonly presented: { readonly frame_ns: number; readonly at_ns: number } }
  /** Reports when the last frame's steps were done. */
  | { readonly steps_done_ns: number }
  /** Reports when the last frame's drawing was done. */
  | { readonly draw_done_ns: number }
  /** Counts a frame whose timestamp is not a number. */
  | { readonly skip: true };

/** The name of a command. */
type Name = Command extends infer C ? (C extends Command ? keyof C : never) : never;

const flag: Check = (name: string, value: boolean) => Number(boolean(name, value));
const always: Check = (name: string, value: true) => {
  if (!boolean(name, value)) throw new RangeError(`${name} must be true, not false`);
  return NaN;
};
const scale: Shape = { channel: channelNumber, value: finite };

/**
 * What each command is about, in the order of the numbers that the module gets. The command's own number is its place. Both must
 * agree with `npm/wasm/src/command.rs`.
 */
const COMMANDS: { readonly [name in Name]: Shape } = {
  gate: among(GATES),
  step: whole,
  scale,
  resting_scale: scale,
  hit_freeze_ns: nanos,
  hitstop: { frames: whole, intensity: notNegative },
  fast_forward: whole,
  tick: (name: string, tick: number) => whole(name, tick, Number.MAX_SAFE_INTEGER),
  // Written to the module's store beforehand.
  pacing: () => NaN,
  suspend: always,
  reset: { kind: among(RESETS), last_frame_ns: optional(nanos, NaN) },
  refresh_ns: nanos,
  variable_refresh: flag,
  presented: { frame_ns: nanos, at_ns: nanos },
  steps_done_ns: nanos,
  draw_done_ns: nanos,
  skip: always,
};
const NAMES = Object.keys(COMMANDS);

/** The command's number in the module, and those that it is about. @internal */
export function encode(command: Command): readonly [command: number, a: number, b?: number] {
  object("a command", command, '{ gate: "paused" }');
  const entries = Object.entries(command);
  if (entries.length !== 1) throw new RangeError(`a command has one name, not ${entries.length}: ${Object.keys(command)}`);
  const [name, value] = entries[0]!;
  const number = word("a command", name, NAMES);
  const [a = NaN, b = NaN] = encoded(name, value, COMMANDS[name as Name]);
  return [number, a, b];
}
