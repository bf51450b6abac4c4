// Builds dist/ from src/: JavaScript, types, and the wasm modules as text for the entries that have them inside.
// The wasm modules must be in dist already: `cargo xtask npm` does both.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";

const here = new URL("./", import.meta.url);
const path = (name) => new URL(name, here);

for (const [name, file] of [["inline-module", "evenstep.wasm"], ["full-module", "evenstep-full.wasm"]]) {
  const module = readFileSync(path(`dist/${file}`)).toString("base64");
  writeFileSync(path(`dist/${name}.js`), `export const module = "${module}";\n`);
}
// Comments are for the types, which editors show, and not for the code, which is downloaded.
const tsc = (...options) => execFileSync("node", ["node_modules/typescript/bin/tsc", ...options], { cwd: here, stdio: "inherit" });
tsc("--removeComments");
tsc("--declaration", "--emitDeclarationOnly");
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(path(`../${name}`), path(name));
