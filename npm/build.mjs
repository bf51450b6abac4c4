// Builds dist/ from src/: JavaScript, types, and the wasm modules as text for the entries that have them inside.
// The wasm modules must be in dist already: `cargo xtask npm` does both.
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

import { transform } from "esbuild";

const here = new URL("./", import.meta.url);
const path = (name) => new URL(name, here);
const node = (...words) => execFileSync("node", words, { cwd: here, stdio: "inherit" });

// What rustc's modules may use by default, and no more.
const features = ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];
// For speed: that makes them smaller, too, and the display lock a quarter faster. For size would save another 80 bytes.
const optimise = ["node_modules/binaryen/bin/wasm-opt", "-O3", ...features.map((feature) => `--enable-${feature}`)];
for (const [name, file] of [["inline-module", "evenstep.wasm"], ["full-module", "evenstep-full.wasm"]]) {
  node(...optimise, `dist/${file}`, "-o", `dist/${file}`);
  const module = readFileSync(path(`dist/${file}`)).toString("base64");
  writeFileSync(path(`dist/${name}.js`), `export const module = "${module}";\n`);
}
// Comments are for the types, which editors show, and not for the code, which is downloaded.
const tsc = "node_modules/typescript/bin/tsc";
node(tsc);
node(tsc, "--declaration", "--emitDeclarationOnly");
for (const name of readdirSync(path("dist")).filter((name) => name.endsWith(".js"))) {
  const { code } = await transform(readFileSync(path(`dist/${name}`), "utf8"), { minify: true, format: "esm", target: "es2022" });
  writeFileSync(path(`dist/${name}`), code);
}
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(path(`../${name}`), path(name));
