/** Checks of arguments: every error names the value and what it should be. */

/** A number, which may be NaN. A BigInt would break the module's functions much later. @internal */
export function number(name: string, value: number): number {
  if (typeof value !== "number") throw new TypeError(`${name} must be a number, not ${show(value)}`);
  return value;
}

/** @internal */
export function finite(name: string, value: number): number {
  number(name, value);
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

/** @internal */
export function boolean(name: string, value: boolean): boolean {
  if (typeof value !== "boolean") throw new TypeError(`${name} must be true or false, not ${show(value)}`);
  return value;
}

/** The index of a word. @internal */
export function word(name: string, value: string, words: readonly string[]): number {
  const index = words.indexOf(value);
  if (index < 0) throw new RangeError(`${name} must be one of ${words.join(", ")}, not ${show(value)}`);
  return index;
}

/** Checks a value, and returns its number for the module. @internal */
export type Check = (name: string, value: never) => number;
/** What a value must be: one that passes a check, or an object of such fields. @internal */
export type Shape = Check | { readonly [field: string]: Check };

/** A check for one of these words. @internal */
export function among(words: readonly string[]): Check {
  return (name: string, value: string) => word(name, value, words);
}

/** A check for a field that may be left out. @internal */
export function optional(check: Check, otherwise: number): Check {
  return (name: string, value: undefined) => (value === undefined ? otherwise : check(name, value));
}

/** The numbers of a value for the module, in the order of its shape. @internal */
export function encoded(name: string, value: unknown, shape: Shape): number[] {
  if (typeof shape === "function") return [shape(name, value as never)];
  const fields = Object.keys(shape);
  object(name, value, `{ ${fields.join(", ")} }`);
  for (const field in value as object) word(`a field of ${name}`, field, fields);
  return fields.map((field) => shape[field]!(`${name}.${field}`, (value as { readonly [field: string]: never })[field]!));
}

/** @internal */
export function callable(name: string, value: unknown): void {
  if (typeof value !== "function") throw new TypeError(`${name} must be a function, not ${show(value)}`);
}

/** @internal */
export function callableIfThere(name: string, value: unknown): void {
  if (value !== undefined) callable(name, value);
}

/** @internal */
export function object(name: string, value: unknown, example: string): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${name} must be an object such as ${example}, not ${show(value)}`);
  }
}

function show(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `the BigInt ${value}n`;
    case "symbol":
      return "a symbol";
    case "function":
      return "a function";
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
    default:
      return `${value}`;
  }
}
