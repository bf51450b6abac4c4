/** Evenstep for browsers and workers. The wasm module is a file beside this one. */

import { load, type WasmSource } from "./wasm.js";

export * from "./api.js";

/** Options of `init`. */
export interface InitOptions {
  /** Loads the module with explanations, the ledger, saving and percentiles. It is about twice as large. */
  readonly full?: boolean;
}

let ready: Promise<void> | undefined;

/**
 * Loads the wasm module. Call it once, before anything else; afterwards everything is synchronous. Further calls wait for the
 * first.
 *
 * @param source Where the module comes from, if not from the file beside this one: a URL, a response, bytes or a module.
 */
export function init(source: InitOptions | WasmSource | string | URL = {}): Promise<void> {
  ready ??= load(isOptions(source) ? file(source) : source).catch((error: unknown) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

function isOptions(source: InitOptions | WasmSource | string | URL): source is InitOptions {
  return Object.getPrototypeOf(source) === Object.prototype;
}

function file({ full = false }: InitOptions): URL {
  // Bundlers recognise these expressions, and copy the files.
  return full ? new URL("./evenstep-full.wasm", import.meta.url) : new URL("./evenstep.wasm", import.meta.url);
}
