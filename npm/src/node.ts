/** Evenstep for node, Deno and Bun. The wasm module, always the full one, is a file beside this one. */

import { readFile } from "node:fs/promises";

import type { InitOptions } from "./index.js";
import type { Address } from "./platform.js";
import { load, type WasmSource } from "./wasm.js";

export * from "./api.js";
export type { InitOptions } from "./index.js";

let ready: Promise<void> | undefined;

/** Loads the wasm module; see `init` for browsers. Here it always has everything. */
export function init(source: InitOptions | WasmSource | string | Address = {}): Promise<void> {
  ready ??= find(source).then(load).catch((error: unknown) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

async function find(source: InitOptions | WasmSource | string | Address): Promise<WasmSource | string | Address> {
  if (Object.getPrototypeOf(source) === Object.prototype) source = new URL("./evenstep-full.wasm", import.meta.url);
  // `fetch` of node has no files.
  return source instanceof URL && source.protocol === "file:" ? readFile(source) : (source as WasmSource | string | Address);
}
