// Plays a trace with the package and prints what `evenstep trace` prints, for comparison byte by byte.
import { Pacer } from "../dist/node.js";

/** Formats a number as the command does: like JavaScript, except for large exponents. */
const number = (value) => String(value).replace("e+", "e");
const seconds = (ms) => Math.round(ms * 1e6) / 1e9;

const LOCKS = { true: "follow", false: "off" };

/** Returns the lines of `evenstep trace`, and with `explain` the sentences, too. */
export function replay(text, { explain = false } = {}) {
  const [head, ...lines] = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  const { profile, start_ms: start = 0 } = head;
  const pacer = new Pacer({
    profile,
    ...("display_lock" in head && { displayLock: LOCKS[head.display_lock] }),
  });
  const origin = Math.min(start, 0);
  pacer.reset(start - origin);
  const out = [];
  const game = { phase: "playing", isPaused: false, invertEnd: 0, mission: undefined };
  let frames = 0;
  for (const line of lines) {
    if (!("frame_ms" in line)) {
      apply(line);
      continue;
    }
    const plan = pacer.frame(line.frame_ms - origin);
    const { steps } = plan;
    if (game.phase === "playing" && game.mission) for (let n = 0; n < steps; n++) tick(game.mission);
    const [ticks, secs] = pacer.rate;
    const hz = ticks / secs;
    const row = {
      frame: frames++,
      outcome: `"${plan.outcome}"`,
      steps,
      tick: pacer.tick,
      alpha: number(plan.alpha),
      dt_s: number(steps / hz),
      raw_dt_s: number(seconds(plan.rawDt)),
      dropped_s: number(seconds(plan.dropped)),
    };
    if (profile === "starship") {
      const ui = Math.round(pacer.uiTime * 1e6);
      const { mission } = game;
      Object.assign(row, {
        wall_ms: number(ui / 1e6),
        ui_s: number(ui / 1e9),
        time_s: number(pacer.tick / hz),
        time_dilation: number(pacer.channel("timeDilation")),
        freeze_left_s: number(seconds(pacer.freezeLeft)),
        invert_left_s: number(Math.max(0, game.invertEnd - ui) / 1e9),
        mission_timer_s: number(mission ? left(mission) : 0),
        overtime: mission?.overtime ?? false,
        overtime_s: number((mission?.overtimeTicks ?? 0) / 60),
      });
    } else if (profile === "fixed-time-step") {
      row.render = plan.shouldDraw;
    } else {
      const { lagSpikes, fps } = pacer.stats;
      Object.assign(row, {
        time_scale: number(pacer.scale),
        in_hitstop: pacer.isInHitstop,
        lag_spikes: lagSpikes,
        missed: plan.missed,
        fps: number(Math.round(fps)),
      });
    }
    if (explain) row.explain = `"${plan.explain()}"`;
    out.push(`{${Object.entries(row).map(([name, value]) => `"${name}":${value}`).join(",")}}\n`);
  }
  const { ledger } = pacer;
  pacer.dispose();
  return { frames: out.join(""), ledger: ledgerLine(ledger) };

  /** The controls of a line, in the order of the format. */
  function apply(controls) {
    if (controls.reset === "frame_timing") pacer.resetFrameTiming(start - origin);
    if (controls.reset === "new_game") {
      pacer.reset(start - origin);
      Object.assign(game, { phase: "playing", isPaused: false, invertEnd: 0, mission: undefined });
    }
    const dilation = controls.time_dilation ?? controls.time_scale;
    if (dilation !== undefined) pacer.setScale("timeDilation", dilation);
    if (controls.level_speed !== undefined) pacer.setScale("levelSpeed", controls.level_speed);
    if (controls.juice !== undefined) pacer.setScale("juice", controls.juice);
    if (controls.test_speed !== undefined) pacer.setRestingScale("timeDilation", controls.test_speed || 1);
    if (controls.hit_freeze_s !== undefined) pacer.hitFreeze(controls.hit_freeze_s * 1e3);
    if (controls.invert_s !== undefined) {
      game.invertEnd = Math.round(pacer.uiTime * 1e6) + Math.round(controls.invert_s * 1e9);
    }
    if (controls.mission) game.mission = { ...controls.mission, drained: 0, overtime: false, overtimeTicks: 0 };
    if (controls.set_fps) pacer.setFps(controls.set_fps.render, controls.set_fps.fixed);
    if (controls.hitstop) pacer.hitstop(controls.hitstop.frames, controls.hitstop.intensity);
    game.phase = controls.phase ?? game.phase;
    game.isPaused = controls.pause ?? game.isPaused;
    pacer.gate = game.phase === "menu" ? "menu" : game.isPaused ? "paused" : "open";
    if (controls.step !== undefined) pacer.stepByHand(controls.step);
  }
}

function left(mission) {
  const time = mission.timer_s - mission.drained / 60;
  return time < 1e-9 ? 0 : time;
}

function tick(mission) {
  if (mission.overtime) {
    mission.overtimeTicks++;
  } else if (!mission.sandbox && !mission.boss_room) {
    mission.drained++;
    mission.overtime = left(mission) === 0;
  }
}

function ledgerLine(ledger) {
  const { droppedNs, isBalanced, totalInNs, totalOutNs, ...accounts } = ledger;
  const { wallNs, headStartNs, byHandNs, fastForwardNs, stretchNs, simulatedNs, pausedNs, menuNs, frozenNs } = accounts;
  const { pendingNs, heldNs, followedNs } = accounts;
  const row = {
    wall_ns: wallNs, head_start_ns: headStartNs, by_hand_ns: byHandNs, fast_forward_ns: fastForwardNs,
    stretch_ns: stretchNs, total_in_ns: totalInNs, simulated_ns: simulatedNs,
    ...Object.fromEntries(Object.entries(droppedNs).map(([reason, nanos]) => [`dropped_${reason}_ns`, nanos])),
    paused_ns: pausedNs, menu_ns: menuNs, frozen_ns: frozenNs, pending_ns: pendingNs, held_ns: heldNs,
    followed_ns: followedNs, total_out_ns: totalOutNs, balanced: isBalanced,
  };
  return `${JSON.stringify(row)}\n`;
}
