/** The wasm module: loading it, and the memory that it shares with JavaScript. */

import type { Address, CompiledModule, Download } from "./platform.js";

/** What `npm/wasm` exports. A handle is the address of a slot; 0 is none. @internal */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  numbers(): number;
  text(): number;
  rate_of(ticks: number, seconds: number): number;
  pacing_from(profile: number, ticks: number, seconds: number): number;
  pacing_of(pacer: number): void;
  pacing_set(setting: number, a: number, b: number, c: number): number;
  pacer_new(): number;
  pacer_free(pacer: number): void;
  pacer_frame(pacer: number, now: number, stepsDone: number, drawDone: number): number;
  pacer_frame_value(pacer: number, value: number): number;
  pacer_tick_end(pacer: number, tick: number): number;
  pacer_answers(pacer: number): void;
  pacer_tell(pacer: number, command: number, a?: number, b?: number): void;
  latch_new(byTime: number): number;
  latch_free(latch: number): void;
  latch_push(latch: number, at: number): number;
  latch_take(latch: number, pacer: number, tick: number): number;
  latch_take_until(latch: number, instant: number): number;
  latch_sync(latch: number, now: number): void;
  latch_clear(latch: number): void;
  // In the full module only.
  pacer_next_due?(pacer: number): number;
  pacer_shown_at?(pacer: number): number;
  pacer_explain?(pacer: number): number;
  pacer_ledger?(pacer: number): void;
  pacer_save?(pacer: number): number;
  pacer_restore?(length: number): number;
  pacer_frame_time?(pacer: number, share: number): number;
}

/** Something that the module can be made from. */
export type WasmSource = ArrayBuffer | ArrayBufferView | CompiledModule | Download | PromiseLike<Download>;

/**
 * A running module. Each pacer and latch keeps the one that it was made in, because the full module may join a small one
 * that is in use already. @internal
 */
export class Running {
  readonly wasm: Exports;
  /** Where answers begin in `f64`. */
  readonly answers: number;
  /** The module's memory. Replaced whenever the memory grows, which detaches the old one. */
  f64: Float64Array;

  constructor(instance: WebAssembly.Instance) {
    this.wasm = instance.exports as unknown as Exports;
    this.answers = this.wasm.numbers() >>> 3;
    this.f64 = new Float64Array(this.wasm.memory.buffer);
  }

  get isFull(): boolean {
    return this.wasm.pacer_explain !== undefined;
  }

  /** Looks at the memory again if it has grown. */
  look(): void {
    if (this.f64.buffer !== this.wasm.memory.buffer) this.f64 = new Float64Array(this.wasm.memory.buffer);
  }

  /** The bytes of the text buffer. */
  text(length: number): Uint8Array {
    return new Uint8Array(this.wasm.memory.buffer, this.wasm.text(), length);
  }
}

/** The module for new pacers and latches: the first that was started, until the full one is. @internal */
export let running: Running | undefined;

/** Gives slots back whose owners were forgotten without `dispose()`. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/**
 * Starts the module synchronously from bytes or a compiled module. If one runs already, this does nothing, unless that is the
 * small one and this the full one: then what is made from now on has the full one.
 *
 * Use it where the bytes are at hand, such as in a worker that got them in a message.
 */
export function initSync(source: ArrayBuffer | ArrayBufferView | CompiledModule): void {
  if (running?.isFull) return;
  const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source as BufferSource);
  start(new WebAssembly.Instance(module));
}

/** Starts the module from its bytes in base 64. @internal */
export function initText(module: string): void {
  if (!running?.isFull) initSync(Uint8Array.from(atob(module), (char) => char.charCodeAt(0)));
}

/** Starts the module from a source that may have to be loaded. @internal */
export async function load(source: WasmSource | string | Address): Promise<void> {
  if (typeof source === "string" || source instanceof URL) source = fetch(source);
  if (source instanceof WebAssembly.Module || ArrayBuffer.isView(source) || source instanceof ArrayBuffer) {
    const made = await WebAssembly.instantiate(source as BufferSource & WebAssembly.Module);
    return start(made instanceof WebAssembly.Instance ? made : (made as WebAssembly.WebAssemblyInstantiatedSource).instance);
  }
  const response = await (source as Download | PromiseLike<Download>);
  const bytes = response.ok ? await response.arrayBuffer() : new ArrayBuffer(0);
  if (!WebAssembly.validate(bytes)) {
    throw new Error(
      `evenstep: ${response.url} is not the wasm module (status ${response.status}). ` +
        `Import from "evenstep/inline" instead, which needs no file, or pass the right URL: init(url)`,
    );
  }
  // Streaming compilation would save nothing: the module has a few kilobytes.
  start((await WebAssembly.instantiate(bytes)).instance);
}

function start(instance: WebAssembly.Instance): void {
  const next = new Running(instance);
  // Two calls may have loaded at the same time. The first one is in use, but the full one has more.
  if (running === undefined || (next.isFull && !running.isFull)) running = next;
}

/** Whether the module runs. */
export function isReady(): boolean {
  return running !== undefined;
}

/** Notes that something has a handle, and sees to it that it is given back. @internal */
export function own(owner: object, module: Running, handle: number, kind: "pacer" | "latch"): number {
  if (handle === 0) throw new RangeError("evenstep: the wasm memory is full; dispose() of what is not needed any more");
  module.look();
  const { pacer_free, latch_free } = module.wasm;
  forgotten.register(owner, () => (kind === "pacer" ? pacer_free : latch_free)(handle), owner);
  return handle;
}

/** Gives a handle back. @internal */
export function disown(owner: object, module: Running, handle: number, kind: "pacer" | "latch"): void {
  forgotten.unregister(owner);
  if (kind === "pacer") module.wasm.pacer_free(handle);
  else module.wasm.latch_free(handle);
}

/** The module for something new. @internal */
export function needReady(): Running {
  if (running === undefined) {
    throw new Error('evenstep: call `await init()` first, or import from "evenstep/inline", which needs no await');
  }
  return running;
}

/** @internal */
export function needFull<T>(what: string, part: T | undefined): T {
  if (part === undefined) {
    throw new Error(
      `evenstep: ${what} is in the full module: call \`await init({ full: true })\`, or import from "evenstep/full", ` +
        "before you make the object that needs it",
    );
  }
  return part;
}

/** Gives a class `Symbol.dispose`, where there is such a symbol. @internal */
export function disposable(type: { readonly prototype: { dispose(): void } }): void {
  if (Symbol.dispose) {
    Object.defineProperty(type.prototype, Symbol.dispose, {
      value(this: { dispose(): void }) {
        this.dispose();
      },
      configurable: true,
      writable: true,
    });
  }
}
