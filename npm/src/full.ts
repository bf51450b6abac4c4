/** Evenstep with the full wasm module inside: explanations, ledger, saving and percentiles; nothing to load, no `await`. */

import { module } from "./full-module.js";
import { initSync } from "./wasm.js";

initSync(Uint8Array.from(atob(module), (char) => char.charCodeAt(0)));

export * from "./api.js";

/** Does nothing: the module is here already. So imports can be swapped without changing code. */
export async function init(): Promise<void> {}
