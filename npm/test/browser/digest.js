/** Plays a fixed trace and digests every decision: the same string in every place that the package runs in. */
export function digest({ Pacer, StarshipLoop }) {
  let hash = 0xcbf29ce4;
  const words = new DataView(new ArrayBuffer(8));
  const add = (value) => {
    words.setFloat64(0, value);
    for (const word of [words.getUint32(0), words.getUint32(4)]) hash = Math.imul(hash ^ word, 0x01000193);
  };
  let state = 7;
  const random = () => (state = (state * 48_271) % 0x7fff_ffff) / 0x7fff_ffff;
  const pacer = new Pacer();
  let now = 1000;
  for (let n = 0; n < 5_000; n++) {
    now += (1000 / 144) * (random() < 0.02 ? 2 : 1);
    if (n % 700 === 9) pacer.hitstop(4, 0.1);
    if (n % 900 === 9) pacer.hitFreeze(50);
    const plan = pacer.frame(now + 0.4 * random());
    add(plan.steps);
    add(plan.alpha);
    add(plan.dropped);
  }
  pacer.dispose();
  const loop = new StarshipLoop({ stepSimulation: add });
  for (let n = 0; n < 500; n++) loop.gameLoopTick(n * 17 + random());
  add(loop.wallTime);
  loop.dispose();
  return (hash >>> 0).toString(16);
}
