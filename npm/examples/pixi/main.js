import { GameLoop, init, Interpolated } from "evenstep";
import { Application, Graphics } from "pixi.js";

await init();
const app = new Application();
// Evenstep asks for the frames, so Pixi's own ticker is not needed.
await app.init({ width: 640, height: 360, background: "#181c2a", autoStart: false, preference: "webgl" });
document.body.append(app.canvas);
const ball = new Graphics().circle(0, 0, 18).fill("#4cc9f0");
app.stage.addChild(ball);

const x = new Interpolated(320);
const y = new Interpolated(40);
let [speedX, speedY] = [210, 0];
const loop = new GameLoop(
  {
    onFixedUpdate(fixedDelta) {
      speedY += 900 * fixedDelta;
      if (y.current > 340 && speedY > 0) speedY = -700;
      if (x.current < 20 || x.current > 620) speedX = Math.sign(320 - x.current) * Math.abs(speedX);
      x.advance(x.current + speedX * fixedDelta);
      y.advance(y.current + speedY * fixedDelta);
    },
    onRenderUpdate(_delta, interpolation) {
      ball.position.set(x.at(interpolation), y.at(interpolation));
      app.render();
      globalThis.example.drawn++;
    },
  },
  1 / 60,
  { displayLock: true },
);
globalThis.example = { loop, x, drawn: 0 };
loop.start();
