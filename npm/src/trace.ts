/** Recording a trace for `evenstep trace` and `evenstep import`. */

import { whole } from "./check.js";
import type { Gate } from "./pacer.js";
import type { Channel, PacingOptions, Profile } from "./pacing.js";

/** A command that a game gave between two frames, as in the trace format. */
export interface TraceControl {
  readonly reset?: "frame_timing" | "new_game";
  readonly phase?: "menu" | "birth" | "playing" | "dead";
  readonly time_dilation?: number;
  readonly level_speed?: number;
  readonly juice?: number;
  readonly test_speed?: number;
  readonly hit_freeze_s?: number;
  readonly set_fps?: { readonly render: number; readonly fixed: number };
  readonly time_scale?: number;
  readonly hitstop?: { readonly frames: number; readonly intensity: number };
  readonly pause?: boolean;
  readonly step?: number;
}

const STARSHIP = ["reset", "phase", "time_dilation", "level_speed", "juice", "test_speed", "hit_freeze_s"];
const SCALED = ["time_scale", "hitstop"];
/** The controls that each profile has, besides `pause` and `step`, which all have. */
const CONTROLS: { readonly [profile in Profile]: readonly string[] } = {
  starship: STARSHIP,
  "fixed-time-step": ["set_fps"],
  "game-loop": SCALED,
  evenstep: SCALED,
};

/**
 * Records the timestamps and controls of a pacer or a loop: pass it as the option `trace`, and save `toString()` as a
 * `.jsonl` file. `evenstep trace --explain FILE` prints what the loop decided; `evenstep import FILE` measures the
 * display.
 *
 * ```ts
 * const trace = new Trace();
 * const loop = new GameLoop(callbacks, 1 / 60, { trace });
 * // Later:
 * const url = URL.createObjectURL(new Blob([trace.toString()]));
 * ```
 */
export class Trace {
  readonly #framesMax: number;
  readonly #lines: (number | TraceControl)[] = [];
  readonly #inexact = new Set<string>();
  #profile: Profile = "evenstep";
  #displayLock: boolean | undefined;
  #start: number | undefined;
  #isAttached = false;
  #gate: Gate = "open";
  #frames = 0;
  #isFull = false;

  /** @param framesMax When to stop recording; by default after a million frames, which are 4.6 hours at 60 Hz. */
  constructor(framesMax = 1_000_000) {
    this.#framesMax = framesMax === Infinity ? framesMax : whole("framesMax", framesMax, Number.MAX_SAFE_INTEGER);
  }

  /** The number of frames recorded. */
  get frames(): number {
    return this.#frames;
  }

  /** Whether recording has stopped because there are too many frames. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /**
   * What happened that the format cannot express, such as another rate. If this is empty, `evenstep trace` decides as the
   * recorded loop did, frame by frame. The timestamps are right in any case.
   */
  get inexact(): readonly string[] {
    return [...this.#inexact];
  }

  /** Adds a frame. Timestamps that are not finite are left out, because no time passes on such frames. */
  frame(now: number): void {
    if (this.#isFull || !Number.isFinite(now)) return;
    if (this.#frames === this.#framesMax) {
      this.#isFull = true;
      return;
    }
    // They count as 0 here, and as they are in a file.
    if (now < 0) this._cannot("a timestamp before 0");
    this.#start ??= now;
    this.#lines.push(now);
    this.#frames++;
  }

  /** Adds a control. */
  control(control: TraceControl): void {
    if (this.#isFull) return;
    const own = CONTROLS[this.#profile];
    for (const name in control) {
      if (!own.includes(name) && name !== "pause" && name !== "step") return this._cannot(`${name} in the profile ${this.#profile}`);
    }
    this.#lines.push(control);
  }

  /** The trace as a file, in the format of docs/trace.md. */
  toString(): string {
    const head = {
      trace: 1,
      profile: this.#profile,
      ...(this.#displayLock !== undefined && { display_lock: this.#displayLock }),
      ...(this.#start && { start_ms: this.#start }),
    };
    const lines = this.#lines.map((line) => JSON.stringify(typeof line === "number" ? { frame_ms: line } : line));
    return [JSON.stringify(head), ...lines, ""].join("\n");
  }

  /** @internal */
  _attach(profile: Profile, options: PacingOptions): void {
    if (this.#isAttached || this.#lines.length > 0) this._cannot("a second pacer");
    this.#isAttached = true;
    this.#profile = profile;
    const { displayLock } = options;
    if (displayLock !== undefined) this.#displayLock = displayLock !== "off" && displayLock !== false;
    if (displayLock === "rate-lock") this._cannot("a rate lock");
    const { rate } = options;
    if (rate !== undefined && rate !== 60) this._cannot(`a rate of ${rate}`);
    for (const name in options) {
      // The draw limit changes no decision about time.
      if (!["rate", "displayLock", "drawRate", "profile", "trace"].includes(name)) this._cannot(`the option ${name}`);
    }
  }

  /** @internal */
  _gate(gate: Gate): void {
    const before = this.#gate;
    this.#gate = gate;
    // Which phase comes after the menu is not known here, and the file stays in it.
    if (before === "menu" && gate === "paused") this._cannot("a pause from a menu");
    if (this.#profile === "starship" && gate !== "paused") this.control({ phase: gate === "menu" ? "menu" : "playing" });
    else if (gate === "menu") return this._cannot("a menu");
    if (gate !== "menu") this.control({ pause: gate === "paused" });
  }

  /** @internal */
  _scale(channel: Channel, scale: number): void {
    const isStarship = this.#profile === "starship";
    if (channel === "timeDilation") {
      this.control(isStarship ? { time_dilation: Math.max(0, scale) } : { time_scale: scale });
    } else if (channel === "levelSpeed" && isStarship) {
      this.control({ level_speed: Math.max(0, scale) });
    } else if (channel === "juice" && isStarship) {
      this.control({ juice: scale });
    } else {
      this._cannot(`the channel ${channel}`);
    }
  }

  /** @internal */
  _reset(reset: "frame_timing" | "new_game", lastFrame: number | undefined): void {
    // Before the first frame, this is when the clock starts.
    if (this.#frames === 0) this.#start = lastFrame;
    else if (lastFrame === this.#start) this.control({ reset });
    else this._cannot("a reset during the recording");
  }

  /** @internal */
  _cannot(what: string): void {
    if (!this.#isFull) this.#inexact.add(what);
  }
}
