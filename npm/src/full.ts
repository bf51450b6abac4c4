/** Evenstep with the full wasm module inside: explanations, ledger, saving and percentiles; nothing to load, no `await`. */

import { module } from "./full-module.js";
import { initText } from "./wasm.js";

initText(module);

export * from "./api.js";

/** Does nothing: the module is here already. So imports can be swapped without changing code. */
export async function init(): Promise<void> {}
