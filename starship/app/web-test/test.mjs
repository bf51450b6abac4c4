// The game's page in a real browser.
//
//   cargo xtask web --build-only
//   node starship/app/web-test/test.mjs target/web [folder for screenshots]
//
// It needs Chromium and node (Debian: chromium nodejs). NATIVE, if set, is what the native program makes of the same
// timestamps: `cargo run --release -p starship --example replay`.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Chromium, Tab, sleep } from "../../../crates/evenstep-host/web-test/chromium.mjs";

const [site, shots] = process.argv.slice(2);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer(async (request, response) => {
  const name = basename(new URL(request.url, "http://page").pathname) || "index.html";
  try {
    const body = await readFile(join(site, name));
    response.writeHead(200, { "content-type": TYPES[name.slice(name.lastIndexOf("."))] ?? "text/plain" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await Chromium.launch();
const tabs = [];

async function open(query = "", prepare = async () => {}) {
  const tab = await Tab.open(browser);
  tabs.push(tab);
  await tab.toFront();
  await prepare(tab);
  await tab.goto(`${origin}/?${query}`);
  await tab.waitFor("globalThis.starship?.tick() > 5", "the game ticks");
  return tab;
}
const mode = (tab) => tab.evaluate("starship.mode()");
const tick = (tab) => tab.evaluate("starship.tick()");
const ship = (tab) => tab.evaluate("[...starship.ship()]");
async function tap(tab, code) {
  await tab.key("keyDown", code);
  await tab.key("keyUp", code);
  await sleep(250);
}
async function shot(tab, name) {
  if (shots) await writeFile(join(shots, `${name}.png`), await tab.screenshot());
}

const tests = {
  async "the game starts, and keys move the ship"() {
    const tab = await open("seed=5");
    assert.equal(await mode(tab), "title");
    await shot(tab, "web-title");
    await tap(tab, "Enter");
    assert.equal(await mode(tab), "playing");
    await tab.waitFor("starship.tick() > 10", "the run ticks");
    const [x] = await ship(tab);
    await tab.key("keyDown", "KeyD");
    await tab.waitFor(`starship.ship()[0] > ${x} + 2`, "the ship flies right");
    await tab.key("keyUp", "KeyD");
    await shot(tab, "web-play");
  },

  async "pause holds, a full stop makes one step, the overlay shows"() {
    const tab = await open("autopilot&seed=5");
    await tap(tab, "KeyP");
    assert.equal(await mode(tab), "paused");
    const held = await tick(tab);
    await sleep(400);
    assert.equal(await tick(tab), held);
    await tap(tab, "Period");
    assert.equal(await tick(tab), held + 1);
    await shot(tab, "web-pause");
    await tap(tab, "KeyP");
    await tap(tab, "F1");
    assert.equal(await tab.evaluate("starship.isOverlayShown()"), true);
    await tab.waitFor(`starship.tick() > ${held + 200}`, "it goes on");
    await shot(tab, "web-overlay");
  },

  async "a hidden tab stands still and returns without a spike"() {
    const tab = await open("autopilot&seed=5");
    await tab.waitFor("starship.tick() > 30", "it ticks");
    const spikes = await tab.evaluate("starship.lagSpikes()");
    const other = await Tab.open(browser);
    await other.toFront();
    await sleep(500);
    const away = await tick(tab);
    await sleep(1_500);
    assert.equal(await tick(tab), away, "no ticks while hidden");
    await tab.toFront();
    await tab.waitFor(`starship.tick() > ${away + 20}`, "it goes on");
    assert.equal(await tab.evaluate("starship.lagSpikes()"), spikes);
    await other.close();
  },

  async "a finger steers at the size of a phone"() {
    const tab = await open("seed=5", async (tab) => {
      await tab.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
      await tab.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 });
    });
    const touch = (type, touchPoints) => tab.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", [{ x: 200, y: 500 }]);
    await touch("touchEnd", []);
    await tab.waitFor(`starship.mode() === "playing" && starship.tick() > 5`, "a tap launches");
    const [, y] = await ship(tab);
    await touch("touchStart", [{ x: 120, y: 600 }]);
    await touch("touchMove", [{ x: 120, y: 520 }]);
    await tab.waitFor(`starship.ship()[1] > ${y} + 2`, "the ship flies up");
    await shot(tab, "web-phone");
    await touch("touchEnd", []);
  },

  async "injected timestamps give the native decisions and hash"() {
    const tab = await open();
    const text = await tab.evaluate(
      `game.replay(7, Float64Array.from({ length: 3000 }, (_, n) => n * 1000 / 144 + (n * 7919 % 13) * 0.1 + (n > 2000 ? 900 : 0)))`,
    );
    console.log(`      ${text}`);
    assert.match(text, /^decisions [0-9a-f]{16} tick \d+ hash [0-9a-f]{16}$/);
    if (process.env.NATIVE) assert.equal(text, process.env.NATIVE.trim());
  },
};

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    for (const tab of tabs) assert.deepEqual(tab.complaints, [], "no console errors");
    console.log(`ok    ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
  for (const tab of tabs.splice(0)) await tab.close().catch(() => {});
}
await browser.close();
server.close();
process.exit(failures ? 1 : 0);
