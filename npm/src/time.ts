/** Times: milliseconds in the API, nanoseconds in commands and traces. */

import { whole } from "./check.js";

/** The highest time: the highest float below 2^64. */
const NANOS_MAX = 2 ** 64 - 2 ** 11;

/** Converts milliseconds to nanoseconds, as the core does: times before 0 are 0. @internal */
export function toNanos(millis: number): number {
  return Math.max(0, Math.min(Math.floor(millis * 1e6 + 0.5), NANOS_MAX));
}

/** Checks a time in nanoseconds. @internal */
export function nanos(name: string, value: number): number {
  return whole(name, value, NANOS_MAX);
}

/** The digits of a timestamp in nanoseconds. The core counts up to 2^64 - 1, which no float is. @internal */
export function nanosText(millis: number): string {
  return millis * 1e6 >= 2 ** 64 ? "18446744073709551615" : `${BigInt(toNanos(millis))}`;
}
