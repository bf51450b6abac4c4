import * as evenstep from "./installed/node_modules/evenstep/dist/index.js";
import { digest } from "./digest.js";

await evenstep.init({ full: true });
// A loop on the worker's own frames, or on timers.
let steps = 0;
const loop = new evenstep.GameLoop({
  onFixedUpdate: () => steps++,
  onRenderUpdate() {
    if (steps < 10) return;
    loop.stop();
    postMessage({ digested: digest(evenstep), steps, balanced: loop.pacer.ledger.isBalanced });
  },
});
loop.start();
