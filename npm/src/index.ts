/** Evenstep for browsers and workers. The wasm module is a file beside this one. */

import type { Address } from "./platform.js";
import { initText, load, type WasmSource } from "./wasm.js";

export * from "./api.js";

/** Options of `init`. */
export interface InitOptions {
  /** Loads the module with explanations, the ledger, saving and percentiles. It is about three times as large. */
  readonly full?: boolean;
}

let ready: Promise<void> | undefined;
let full: Promise<void> | undefined;

/**
 * Loads the wasm module. Call it once, before anything else; afterwards everything is synchronous. Further calls wait for the
 * first, except that `{ full: true }` loads the full module if that was the small one.
 *
 * @param source Where the module comes from, if not from the file beside this one: a URL, a response, bytes or a module.
 */
export function init(source: InitOptions | WasmSource | string | Address = {}): Promise<void> {
  if (isOptions(source) && source.full) {
    full ??= loadFile(source).catch((error: unknown) => {
      full = undefined;
      throw error;
    });
    return full;
  }
  if (full) return full;
  ready ??= (isOptions(source) ? loadFile(source) : load(source)).catch((error: unknown) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

function isOptions(source: InitOptions | WasmSource | string | Address): source is InitOptions {
  return Object.getPrototypeOf(source) === Object.prototype;
}

async function loadFile({ full = false }: InitOptions): Promise<void> {
  try {
    // Bundlers recognise these expressions, and copy the files.
    await load(full ? new URL("./evenstep-full.wasm", import.meta.url) : new URL("./evenstep.wasm", import.meta.url));
  } catch {
    // Some move the code and leave the file behind, such as Vite's development server. The module is here as code, too.
    const { module } = await (full ? import("./full-module.js") : import("./inline-module.js"));
    initText(module);
  }
}
