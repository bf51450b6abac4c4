// A server that moves a player per connection at 20 ticks a second and tells everyone. Run: npm start
//
// A client sends {"move": -1, 0 or 1} and gets {"tick": n, "players": {"1": x}}.
import { init, InputLatch, ServerTick } from "evenstep";
import { WebSocketServer } from "ws";

await init();
const sockets = new WebSocketServer({ port: Number(process.env.PORT ?? 8081), maxPayload: 1024 });
const players = new Map();
const inputs = new InputLatch("by-time");
let ids = 0;

sockets.on("connection", (socket) => {
  const id = ++ids;
  players.set(id, { x: 0, move: 0 });
  socket.on("message", (text) => {
    try {
      const { move } = JSON.parse(text);
      // A full latch means a flood: what does not fit is dropped.
      if ([-1, 0, 1].includes(move)) inputs.push(performance.now(), { id, move });
    } catch {
      socket.close(1003, "not JSON");
    }
  });
  socket.on("close", () => players.delete(id));
});

const server = new ServerTick(
  (tick, dt) => {
    // Each message reaches exactly one tick.
    for (let input; (input = inputs.takeUntil(performance.now())); ) {
      const player = players.get(input.id);
      if (player) player.move = input.move;
    }
    for (const player of players.values()) player.x += 5 * player.move * dt;
    const state = JSON.stringify({ tick, players: Object.fromEntries([...players].map(([id, { x }]) => [id, x])) });
    for (const socket of sockets.clients) socket.send(state);
  },
  { rate: 20, missed: "catch-up" },
);

sockets.on("listening", () => {
  console.log(`ws://127.0.0.1:${sockets.address().port}/`);
  server.start();
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, async () => {
    await server.drain();
    const { p50, p99 } = server.lateness;
    console.log(`stopped after tick ${server.tick}; ticks were ${p50.toFixed(2)} ms late (p50), ${p99.toFixed(2)} ms (p99)`);
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
}
