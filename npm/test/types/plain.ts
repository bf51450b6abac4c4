// Uses that need no types of a platform: neither the DOM's, nor node's, nor `Disposable`.
import {
  FixedTimeStep, GameLoop, init, initSync, InputLatch, listen, listenKeys, listenPointer, Pacer, ServerTick, StarshipLoop, Trace,
  type DomTarget, type KeyInput, type PointerInput,
} from "evenstep";
import { Pacer as FullPacer } from "evenstep/full";
import { Pacer as InlinePacer } from "evenstep/inline";

declare const target: DomTarget;

await init({ full: true });
await init("https://example.com/evenstep.wasm");
initSync(new Uint8Array(8));
initSync(new ArrayBuffer(8));

for (const one of [new Pacer(), new FullPacer(), new InlinePacer()]) one.dispose();
new FixedTimeStep().dispose();
new StarshipLoop({ stepSimulation() {} }).dispose();
new ServerTick(() => {}).dispose();
new GameLoop({ onFixedUpdate() {}, onRenderUpdate() {} }, 1 / 60, { trace: new Trace() }).dispose();
const keys = new InputLatch<KeyInput>();
listenKeys(keys);
listenKeys(keys, target);
listenPointer(new InputLatch<PointerInput>(), target);
listen(new InputLatch<string>(), target, ["keydown"], (event) => (event.timeStamp > 0 ? event.type : undefined));
