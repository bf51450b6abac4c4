// The cost of a frame beside mainloop.js and the FixedTimeStep of @jolly-pixel/engine, in one process.
// Run: cargo xtask bench npm
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";

import { FixedTimeStep as Jolly } from "@jolly-pixel/engine/dist/systems/FixedTimeStep.js";
import { FixedTimeStep, GameLoop, init, Pacer, StarshipLoop } from "../dist/node.js";

const FRAMES = 100_000;
const ROUNDS = 21;

await init();

// The timestamps of a noisy 144 Hz display.
let seed = 1;
const random = () => (seed = (seed * 48_271) % 0x7fff_ffff) / 0x7fff_ffff;
const times = Float64Array.from({ length: FRAMES }, (_, n) => n * (1000 / 144) + 0.3 * random());
let origin = 1000;

/** A frame request that a benchmark answers by hand. */
let request = () => {};
const ask = (frame) => {
  request = frame;
  return 1;
};

const loops = new Map();

// mainloop.js takes its `requestAnimationFrame` from the window, once.
globalThis.window = { requestAnimationFrame: (frame) => ask(frame), cancelAnimationFrame() {} };
const MainLoop = createRequire(import.meta.url)("mainloop.js");
delete globalThis.window;
MainLoop.setUpdate(() => {}).setDraw(() => {}).start();
const startOfMainLoop = request;
startOfMainLoop(origin);
const mainLoopFrame = request;
loops.set("mainloop.js 1.0.4", () => {
  for (let n = 0; n < FRAMES; n++) mainLoopFrame(origin + times[n]);
});

function pacerLoop(pacer) {
  const step = () => {};
  const draw = (_alpha) => {};
  return () => {
    for (let n = 0; n < FRAMES; n++) {
      const plan = pacer.frame(origin + times[n]);
      for (let steps = plan.steps; steps > 0; steps--) step();
      draw(plan.alpha);
    }
  };
}
loops.set("evenstep Pacer, display lock off", pacerLoop(new Pacer({ displayLock: "off" })));
loops.set("evenstep Pacer, display lock on", pacerLoop(new Pacer()));

let now = 0;
const callbacks = { fixedUpdate() {}, update() {} };
function stepLoop(loop) {
  loop.start();
  return () => {
    for (let n = 0; n < FRAMES; n++) {
      now = origin + times[n];
      loop.tick(callbacks);
    }
  };
}
const realNow = performance.now.bind(performance);
const jolly = stepLoop(new Jolly());
loops.set("@jolly-pixel/engine 2.5.0 FixedTimeStep", () => {
  globalThis.performance.now = () => now;
  jolly();
  globalThis.performance.now = realNow;
});
loops.set("evenstep FixedTimeStep", stepLoop(new FixedTimeStep({ now: () => now })));

const starship = new StarshipLoop({ stepSimulation() {} });
loops.set("evenstep StarshipLoop", () => {
  for (let n = 0; n < FRAMES; n++) starship.gameLoopTick(origin + times[n]);
});

const gameLoop = new GameLoop({ onFixedUpdate() {}, onRenderUpdate() {} }, 1 / 60, { now: () => now, requestFrame: ask, cancelFrame() {} });
now = origin;
gameLoop.start();
const gameLoopFrame = request;
loops.set("evenstep GameLoop", () => {
  for (let n = 0; n < FRAMES; n++) {
    now = origin + times[n];
    gameLoopFrame(now);
  }
});

const costs = new Map([...loops.keys()].map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  origin += 1000 * 1000;
  for (const [name, loop] of loops) {
    const start = realNow();
    loop();
    costs.get(name).push(((realNow() - start) * 1e6) / FRAMES);
  }
}
for (const [name, nanos] of costs) {
  nanos.sort((a, b) => a - b);
  console.log(`${name}\t${nanos[ROUNDS >> 1].toFixed(1)}`);
}
