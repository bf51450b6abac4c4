// A game loop for tests, on a clock that they move.
import { GameLoop } from "../dist/node.js";

/** A `GameLoop` on a clock that the test moves. */
export function driven(callbacks, options = {}) {
  const host = { now: 0, request: undefined, requests: 0, log: [] };
  const loop = new GameLoop(
    {
      onFixedUpdate: (fixedDelta, now, tick) => host.log.push(["step", tick]),
      onRenderUpdate: (delta, interpolation) => host.log.push(["draw", interpolation]),
      ...callbacks,
    },
    1 / 60,
    {
      now: () => host.now,
      requestFrame: (frame) => ((host.request = frame), ++host.requests),
      cancelFrame: () => (host.request = undefined),
      ...options,
    },
  );
  host.frame = (now) => {
    host.now = now;
    const { request } = host;
    host.request = undefined;
    request(now);
  };
  return { loop, host };
}

/** How many steps ran. */
export const steps = (host) => host.log.filter(([what]) => what === "step").length;
