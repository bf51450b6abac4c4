// The download of a page that uses the pacer and all drop-ins, minified, in bytes after gzip -9.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { build } from "esbuild";

const dist = new URL("../dist/", import.meta.url);
// The real one: node's zlib is built for speed, and one in a hundred larger.
const gzip = (input) => execFileSync("gzip", ["-9", "--no-name", "--stdout"], { input }).length;

async function bundle(names) {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${names} } from "./index.js";`, resolveDir: dist.pathname },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    // The modules inside the code, which pages load only if they do not find the file.
    external: ["./inline-module.js", "./full-module.js"],
  });
  return outputFiles[0].contents;
}

const [small, full] = ["evenstep.wasm", "evenstep-full.wasm"].map((name) => gzip(readFileSync(new URL(name, dist))));
for (const [what, names] of [
  ["Pacer", "init, Pacer"],
  ["Pacer, FixedTimeStep, GameLoop, StarshipLoop", "init, Pacer, FixedTimeStep, GameLoop, StarshipLoop"],
  ["everything", "init, Pacer, FixedTimeStep, GameLoop, StarshipLoop, InputLatch, listen, listenKeys, listenPointer, Interpolated, lerp, lerpAngle, ServerTick, Trace"],
]) {
  const code = gzip(await bundle(names));
  console.log([what, code, small, code + small, code + full].join("\t"));
}
