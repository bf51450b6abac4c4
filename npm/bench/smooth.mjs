// What mainloop.js decides for given timestamps: milliseconds in, one a line, and `STEPS ALPHA` out for each. An empty line
// starts the loop again.
// Run: cargo xtask bench smooth
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

let request;
// mainloop.js takes its `requestAnimationFrame` from the window, once.
globalThis.window = { requestAnimationFrame: (frame) => (request = frame), cancelAnimationFrame() {} };
const MainLoop = createRequire(import.meta.url)("mainloop.js");

let steps = 0;
let alpha = 0;
MainLoop.setUpdate(() => steps++).setDraw((interpolation) => (alpha = interpolation));

const decisions = [];
MainLoop.start();
for (const line of readFileSync(0, "utf8").split("\n")) {
  if (line === "") {
    MainLoop.stop().start().resetFrameDelta();
    continue;
  }
  steps = 0;
  request(Number(line));
  decisions.push(`${steps} ${alpha}`);
}
console.log(decisions.join("\n"));
