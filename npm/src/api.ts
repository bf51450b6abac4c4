/** Everything but `init`, which depends on where the module comes from. */

export type { Ledger, LockState, Stats } from "./answers.js";
export type { ChannelValue, Command, Gate } from "./command.js";
export { listen, listenKeys, listenPointer, type KeyInput, type PointerInput } from "./dom.js";
export { FixedTimeStep, type FixedTimeStepCallbacks, type FixedTimeStepOptions } from "./fixed-time-step.js";
export { GameLoop, type GameLoopCallbacks, type GameLoopOptions, type GameLoopStats } from "./game-loop.js";
export { InputLatch, LATCH_CAPACITY, type Latching } from "./input-latch.js";
export { Interpolated, lerp, lerpAngle } from "./interpolate.js";
export { Pacer, type PacerOptions, type Presented } from "./pacer.js";
export type {
  Channel, ChannelName, ChannelRange, DisplayLock, Effects, Excess, Fraction, PacingChange, PacingOptions, Profile, Rate,
} from "./pacing.js";
export { Frame, type DropReason, type Outcome } from "./plan.js";
export type { Address, CompiledModule, DomEvent, DomTarget, Download, Owned } from "./platform.js";
export { ServerTick, type Lateness, type MissedTicks, type ServerTickOptions } from "./server-tick.js";
export {
  MAX_ACCUM, MAX_STEPS_BASE, RAW_DT_MAX, SIM_DT, STALL, StarshipLoop,
  type Phase, type StarshipCallbacks, type StarshipOptions,
} from "./starship-loop.js";
export { Trace } from "./trace.js";
export { initSync, isReady, type WasmSource } from "./wasm.js";
