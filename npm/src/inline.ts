/** Evenstep with the wasm module inside: nothing to load, no `await`. */

import { module } from "./inline-module.js";
import { initText } from "./wasm.js";

initText(module);

export * from "./api.js";

/** Does nothing: the module is here already. So imports can be swapped without changing code. */
export async function init(): Promise<void> {}
