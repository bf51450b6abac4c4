// The download of a page that uses the pacer and all drop-ins, minified, in bytes after gzip -9.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { build } from "vite";

const dist = new URL("../dist/", import.meta.url);
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;
const folder = mkdtempSync(join(tmpdir(), "evenstep-size-"));
const entry = join(folder, "entry.js");

async function bundle(names, from = "index.js") {
  writeFileSync(entry, `export { ${names} } from ${JSON.stringify(new URL(from, dist).pathname)};\n`);
  const { output } = (
    await build({
      root: folder,
      logLevel: "error",
      configFile: false,
      build: { lib: { entry, formats: ["es"], fileName: "out" }, write: false, minify: true, target: "es2022", assetsInlineLimit: 0 },
    })
  )[0];
  // Other chunks are the modules inside the code, which pages load only if they do not find the file.
  return output.filter(({ type, isDynamicEntry }) => type === "chunk" && !isDynamicEntry).map(({ code }) => code).join("");
}

// A library build of Vite inlines assets, which are counted apart.
const strip = (code) => code.replace(/data:application\/wasm;base64,[A-Za-z0-9+/=]+/g, "");
const wasm = gzip(readFileSync(new URL("evenstep.wasm", dist)));
const full = gzip(readFileSync(new URL("evenstep-full.wasm", dist)));
for (const [what, names] of [
  ["Pacer", "init, Pacer"],
  ["Pacer, FixedTimeStep, GameLoop, StarshipLoop", "init, Pacer, FixedTimeStep, GameLoop, StarshipLoop"],
  ["everything", "init, Pacer, FixedTimeStep, GameLoop, StarshipLoop, InputLatch, listen, listenKeys, listenPointer, Interpolated, lerp, lerpAngle, ServerTick, Trace"],
]) {
  const js = gzip(strip(await bundle(names)));
  console.log([what, js, wasm, js + wasm, js + full].join("\t"));
}
rmSync(folder, { recursive: true });
