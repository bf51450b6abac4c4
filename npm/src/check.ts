/** Checks of arguments: every error names the value and what it should be. */

/** @internal */
export function finite(name: string, value: number): number {
  if (typeof value !== "number") throw new TypeError(`${name} must be a number, not ${show(value)}`);
  if (!Number.isFinite(value)) throw new RangeError(`${name} must be finite, not ${value}`);
  return value;
}

/** @internal */
export function notNegative(name: string, value: number): number {
  if (finite(name, value) < 0) throw new RangeError(`${name} must be 0 or more, not ${value}`);
  return value;
}

/** @internal */
export function positive(name: string, value: number): number {
  if (finite(name, value) <= 0) throw new RangeError(`${name} must be above 0, not ${value}`);
  return value;
}

/** A whole number from 0 to `most`. @internal */
export function whole(name: string, value: number, most = 0xffff_ffff): number {
  if (!Number.isInteger(notNegative(name, value)) || value > most) {
    throw new RangeError(`${name} must be a whole number from 0 to ${most}, not ${value}`);
  }
  return value;
}

/** The index of a word. @internal */
export function word(name: string, value: string, words: readonly string[]): number {
  const index = words.indexOf(value);
  if (index < 0) throw new RangeError(`${name} must be one of ${words.join(", ")}, not ${show(value)}`);
  return index;
}

/** @internal */
export function callable(name: string, value: unknown): void {
  if (typeof value !== "function") throw new TypeError(`${name} must be a function, not ${show(value)}`);
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : typeof value === "symbol" ? "a symbol" : `${value}`;
}
