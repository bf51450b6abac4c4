// The example server, with a real client.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { WebSocket } from "ws";

const npm = fileURLToPath(new URL("..", import.meta.url));

test("the_example_server_ticks_moves_its_players_and_drains", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "evenstep-server-"));
  cpSync(join(npm, "examples/server"), folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(npm, join(folder, "node_modules/evenstep"));
  symlinkSync(join(npm, "node_modules/ws"), join(folder, "node_modules/ws"));
  const server = spawn("node", ["server.mjs"], { cwd: folder, env: { ...process.env, PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(server.stdout);
  const [address] = await once(lines, "line");
  const socket = new WebSocket(address);
  await once(socket, "open");
  const states = [];
  let hasMoved;
  const moved = new Promise((resolve) => (hasMoved = resolve));
  socket.on("message", (text) => {
    const state = JSON.parse(text);
    states.push(state);
    if (state.players[1] > 1) hasMoved();
  });
  socket.send(JSON.stringify({ move: 1 }));
  await moved;
  for (let n = 1; n < states.length; n++) assert.equal(states[n].tick, states[n - 1].tick + 1);
  server.kill("SIGTERM");
  const [line] = await once(lines, "line");
  assert.match(line, /stopped after tick \d+; ticks were -?\d/);
  await once(server, "exit");
  socket.terminate();
  rmSync(folder, { recursive: true });
});
