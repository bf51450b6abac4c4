import * as evenstep from "evenstep";
import { digest } from "./digest.js";

await evenstep.init();
globalThis.digested = digest(evenstep);
globalThis.steps = 0;
const loop = new evenstep.FixedTimeStep();
loop.start();
requestAnimationFrame(function frame() {
  requestAnimationFrame(frame);
  loop.tick({ fixedUpdate: () => globalThis.steps++ });
});
