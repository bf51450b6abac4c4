/** Interpolation between two ticks. */

/** The number `alpha` of the way from `a` to `b`. */
export function lerp(a: number, b: number, alpha: number): number {
  return a + (b - a) * alpha;
}

/** The angle `alpha` of the way from `a` to `b` in radians, the short way round, in the same time for any angle. */
export function lerpAngle(a: number, b: number, alpha: number): number {
  const turn = 2 * Math.PI;
  const apart = b - a;
  // The remainder of a float is exact and less than one turn. At most one more turn brings it below half a turn.
  const around = Number.isFinite(apart) ? apart % turn : ((b % turn) - (a % turn)) % turn;
  const shortest = around > Math.PI ? around - turn : around < -Math.PI ? around + turn : around;
  return a + shortest * alpha;
}

/**
 * The values of the last two ticks, for drawing in between.
 *
 * ```ts
 * const x = new Interpolated(0);
 * x.advance(x.current + speed); // In every tick, even if nothing moved.
 * draw(x.at(plan.alpha));
 * ```
 *
 * Numbers need nothing else; for other types pass a function that blends two values, such as `lerpAngle`.
 */
export class Interpolated<T = number> {
  readonly #blend: (a: T, b: T, alpha: number) => T;
  #previous: T;
  #current: T;

  constructor(value: T, ...blend: T extends number ? [blend?: (a: T, b: T, alpha: number) => T] : [blend: (a: T, b: T, alpha: number) => T]) {
    this.#previous = this.#current = value;
    this.#blend = blend[0] ?? (lerp as unknown as (a: T, b: T, alpha: number) => T);
  }

  /** The value at the last tick. */
  get current(): T {
    return this.#current;
  }

  /** The value at the tick before the last. */
  get previous(): T {
    return this.#previous;
  }

  /** Sets the value of the next tick; the current one becomes the previous. */
  advance(next: T): void {
    this.#previous = this.#current;
    this.#current = next;
  }

  /** Sets a new value without interpolating from the old one. */
  teleport(value: T): void {
    this.#previous = this.#current = value;
  }

  /** The value to draw at `alpha`. */
  at(alpha: number): T {
    return this.#blend(this.#previous, this.#current, alpha);
  }
}
