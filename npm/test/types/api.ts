// Uses of the types, checked with `tsc --strict`. Nothing here runs. The package refers to itself by its name.
import {
  FixedTimeStep, GameLoop, init, initSync, InputLatch, Interpolated, lerpAngle, listen, listenKeys, Pacer, ServerTick, StarshipLoop, Trace,
  type Command, type Frame, type GameLoopStats, type KeyInput, type Ledger, type Outcome,
} from "evenstep";
import { Pacer as FullPacer } from "evenstep/full";
import { Pacer as InlinePacer } from "evenstep/inline";

await init();
await init({ full: true });
await init(new URL("https://example.com/evenstep.wasm"));

initSync(await WebAssembly.compile(new Uint8Array(8)));
await init(fetch("evenstep.wasm"));
listen(new InputLatch<string>(), document, ["keydown"], (event: Event) => (event as KeyboardEvent).code);
using latch = new InputLatch();
latch.clear();

using pacer = new Pacer({ rate: [60000, 1001], stall: null, displayLock: "rate-lock", channels: { custom0: { min: 0, max: 1, resting: 1 } } });
const plan: Frame = pacer.frame(performance.now());
const steps: number = plan.steps;
const outcome: Outcome = plan.outcome;
const ledger: Ledger = pacer.ledger;
const dropped: number = ledger.droppedNs.cap;
const saved: Uint8Array = pacer.save();
FullPacer.restore(saved);
new InlinePacer();
// @ts-expect-error A plan is read only.
plan.steps = 3;
const commands: Command[] = [
  { gate: "paused" },
  { scale: { channel: "custom_0", value: 0.5 } },
  { reset: { kind: "new_game", last_frame_ns: 0 } },
  { pacing: { rate: { ticks: 30 }, stall_ns: null } },
];
for (const command of commands) pacer.tell(command);
// @ts-expect-error Times of commands are in nanoseconds, and say so.
pacer.tell({ hit_freeze: 80 });
// @ts-expect-error There is no such option.
pacer.tell({ pacing: { stall: 80 } });
pacer.presented({ frame: 0, at: 20 });
// @ts-expect-error There is no such channel.
pacer.setScale("speed", 1);
// @ts-expect-error There is no such gate.
pacer.gate = "shut";
// @ts-expect-error Handles are internal.
pacer._live();

const loop = new FixedTimeStep(60, 30, { displayLock: true });
loop.tick({ fixedUpdate: (fixedDelta: number) => void fixedDelta });
// @ts-expect-error `fixedUpdate` is required.
loop.tick({});

const input = new InputLatch<KeyInput>("first-tick");
const detach: () => void = listenKeys(input);
const game = new GameLoop<KeyInput>({ onFixedUpdate() {}, onRenderUpdate(_delta, _interpolation, _now) {} }, 1 / 30, { input, trace: new Trace() });
const code: string | undefined = game.takeInput()?.code;
const stats: GameLoopStats = game.getStats();

const starship = new StarshipLoop({ stepSimulation: (simDt) => void simDt });
starship.phase = "birth";
// @ts-expect-error Published, not set.
starship.dt = 1;

const server = new ServerTick(async (tick: number) => void tick, { rate: 20, missed: "slow-down" });
const drained: Promise<void> = server.drain();

const angle: Interpolated<number> = new Interpolated(0, lerpAngle);
const point = new Interpolated({ x: 1 }, (a, b, alpha) => ({ x: a.x + (b.x - a.x) * alpha }));
const x: number = point.at(0.5).x;
// @ts-expect-error Objects need a function that blends them.
new Interpolated({ x: 1 });

export { angle, code, detach, drained, dropped, outcome, stats, steps, x };
