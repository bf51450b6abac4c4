// 200 loops at 60 Hz for a minute on one core: ours, bare setInterval, and Colyseus' setSimulationInterval.
//
//   node bench/server.mjs [SECONDS]        runs all three, one after the other, each in a process of its own
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const LOOPS = 200;
const HZ = 60;
const STEP_MS = 1000 / HZ;
const KINDS = ["evenstep ServerTick", "setInterval", "Colyseus 0.16 setSimulationInterval"];

const [first = "60", kind] = process.argv.slice(2);
const seconds = Number(first);
if (kind === undefined) {
  // One core, so that the garbage collector's threads take part, too.
  const pin = spawnSync("taskset", ["--version"]).status === 0 ? ["taskset", "--cpu-list", "0"] : [];
  for (const name of KINDS) {
    const [program, ...options] = [...pin, process.execPath, fileURLToPath(import.meta.url), first, name];
    console.error(`${name}: ${seconds} s`);
    process.stdout.write(execFileSync(program, options));
  }
} else {
  await measure(kind);
}

/** Returns a function that starts a loop, right after `begin`, and returns a function that stops it. */
async function starter(kind) {
  if (kind === KINDS[0]) {
    const { init, ServerTick } = await import("../dist/node.js");
    await init();
    return (begin, tick) => {
      const server = new ServerTick(tick, { rate: HZ });
      begin();
      server.start();
      return () => server.dispose();
    };
  }
  if (kind === KINDS[1]) {
    return (begin, tick) => {
      begin();
      const timer = setInterval(tick, STEP_MS);
      return () => clearInterval(timer);
    };
  }
  const { Room } = await import("@colyseus/core");
  return (begin, tick) => {
    const room = new Room();
    begin();
    room.setSimulationInterval(tick, STEP_MS);
    return () => room.setSimulationInterval();
  };
}

async function measure(kind) {
  const start = await starter(kind);
  const counts = new Float64Array(LOOPS);
  const starts = new Float64Array(LOOPS);
  const lasts = new Float64Array(LOOPS);
  // Lateness relative to the ideal tick, and the error of each interval, in hundredths of a millisecond from -3 s on.
  const zero = 300_000;
  const late = new Uint32Array(1_000_000);
  const error = new Uint32Array(1_000_000);
  // The lateness of each loop's last second of ticks.
  const recent = Array.from(counts, () => new Float64Array(HZ));
  const count = (histogram, ms) => histogram[Math.min(histogram.length - 1, Math.max(0, zero + Math.round(ms * 100)))]++;
  const cpu = process.cpuUsage();
  const first = performance.now();
  const stops = Array.from(counts, (_, n) => {
    const begin = () => void (starts[n] = lasts[n] = performance.now());
    return start(begin, () => {
      const now = performance.now();
      const lateness = now - starts[n] - ++counts[n] * STEP_MS;
      recent[n][counts[n] % HZ] = lateness;
      count(late, lateness);
      count(error, Math.abs(now - lasts[n] - STEP_MS));
      lasts[n] = now;
    });
  });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const now = performance.now();
  for (const stop of stops) stop();
  const { user, system } = process.cpuUsage(cpu);
  // The earliest tick of the last second, which stalls do not change: what has added up since the start.
  const drifts = recent.map((last) => Math.min(...last));
  const drift = drifts.reduce((worst, one) => (Math.abs(one) > Math.abs(worst) ? one : worst));
  const share = (histogram, part) => {
    const total = histogram.reduce((sum, bin) => sum + bin, 0);
    let seen = 0;
    return (histogram.findIndex((bin) => (seen += bin) >= part * total) - zero) / 100;
  };
  console.log(
    [
      kind, drift.toFixed(1), share(late, 0.5).toFixed(2), share(late, 0.99).toFixed(2), share(error, 0.99).toFixed(2),
      (((user + system) / 1e3 / (now - first)) * 100).toFixed(0),
    ].join("\t"),
  );
  process.exit(0);
}
