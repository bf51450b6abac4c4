// Plays a trace with the package and prints what `evenstep trace` prints, for comparison byte by byte.
import { Pacer } from "../dist/node.js";

/** Formats a number as the command does: like JavaScript, except for large exponents. */
const number = (value) => String(value).replace("e+", "e");
const seconds = (ms) => Math.round(ms * 1e6) / 1e9;

/** Returns the lines of `evenstep trace`, and with `explain` the sentences, too. */
export function replay(text, { explain = false } = {}) {
  const [{ profile, pacing = {} }, ...lines] = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  // In a header, the limits of the recommended loop are those of 60 Hz, whatever the rate.
  const limits = profile === "evenstep" ? { longestFrame: 250, stepsMax: 15 } : {};
  const pacer = new Pacer({ profile, ...limits, ...options(pacing) });
  const out = [];
  for (const line of lines) {
    if (!("frame_ns" in line)) {
      pacer.tell(line);
      continue;
    }
    const plan = pacer.frame(line.frame_ns / 1e6);
    const [ticks, secs] = pacer.rate;
    const { lagSpikes, fps } = pacer.stats;
    const row = {
      frame: out.length,
      outcome: `"${plan.outcome}"`,
      steps: plan.steps,
      tick: pacer.tick,
      alpha: number(plan.alpha),
      dt_s: number(plan.steps / (ticks / secs)),
      raw_dt_s: number(seconds(plan.rawDt)),
      dropped_s: number(seconds(plan.dropped)),
      time_scale: number(pacer.scale),
      in_hitstop: pacer.isInHitstop,
      freeze_left_s: number(seconds(pacer.freezeLeft)),
      render: plan.shouldDraw,
      lock: `"${pacer.lockState.state}"`,
      lag_spikes: lagSpikes,
      missed: plan.missed,
      fps: number(Math.round(fps)),
    };
    if (explain) row.explain = `"${plan.explain()}"`;
    out.push(`{${Object.entries(row).map(([name, value]) => `"${name}":${value}`).join(",")}}\n`);
  }
  const { ledger } = pacer;
  pacer.dispose();
  return { frames: out.join(""), ledger: ledgerLine(ledger) };
}

/** Options of a header in milliseconds. */
function options(pacing) {
  const camel = (name) => name.replace("_ns", "").replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  const converted = (name, value) => {
    if (value === null) return null;
    if (name.endsWith("_ns")) return value / 1e6;
    if (name.endsWith("rate")) return [value.ticks, value.seconds ?? 1];
    if (name === "channels") return Object.fromEntries(Object.entries(value).map(([channel, range]) => [camel(channel), range]));
    return value;
  };
  return Object.fromEntries(Object.entries(pacing).map(([name, value]) => [camel(name), converted(name, value)]));
}

function ledgerLine(ledger) {
  const { droppedNs, isBalanced, totalInNs, totalOutNs, ...accounts } = ledger;
  const { wallNs, headStartNs, byHandNs, fastForwardNs, stretchNs, simulatedNs, pausedNs, menuNs, frozenNs } = accounts;
  const { pendingNs, heldNs, forfeitedNs } = accounts;
  const row = {
    wall_ns: wallNs, head_start_ns: headStartNs, by_hand_ns: byHandNs, fast_forward_ns: fastForwardNs,
    stretch_ns: stretchNs, total_in_ns: totalInNs, simulated_ns: simulatedNs,
    ...Object.fromEntries(Object.entries(droppedNs).map(([reason, nanos]) => [`dropped_${reason}_ns`, nanos])),
    paused_ns: pausedNs, menu_ns: menuNs, frozen_ns: frozenNs, pending_ns: pendingNs, held_ns: heldNs,
    forfeited_ns: forfeitedNs, total_out_ns: totalOutNs, balanced: isBalanced,
  };
  return `${JSON.stringify(row)}\n`;
}
