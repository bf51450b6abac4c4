import { GameLoop, init, Interpolated, lerpAngle } from "evenstep";
import { BoxGeometry, DirectionalLight, Mesh, MeshLambertMaterial, PerspectiveCamera, Scene, WebGLRenderer } from "three";

await init();
const renderer = new WebGLRenderer({ antialias: true });
renderer.setSize(640, 360);
document.body.append(renderer.domElement);

const scene = new Scene();
const camera = new PerspectiveCamera(50, 640 / 360, 0.1, 10);
camera.position.z = 4;
const light = new DirectionalLight(0xffffff, 3);
light.position.set(1, 2, 3);
const cube = new Mesh(new BoxGeometry(), new MeshLambertMaterial({ color: 0x4cc9f0 }));
scene.add(cube, light);

const angle = new Interpolated(0, lerpAngle);
const loop = new GameLoop(
  {
    onFixedUpdate(fixedDelta) {
      angle.advance((angle.current + 1.5 * fixedDelta) % (2 * Math.PI));
    },
    onRenderUpdate(_delta, interpolation) {
      cube.rotation.set(0.5, angle.at(interpolation), 0);
      renderer.render(scene, camera);
      globalThis.example.drawn++;
    },
  },
  1 / 60,
  { displayLock: true },
);
globalThis.example = { loop, angle, drawn: 0 };
loop.start();
// A click is a hit: the game nearly stops for a moment.
addEventListener("pointerdown", () => loop.triggerHitstop(10, 0.05));
