// Packs the package, installs the tarball into an empty folder, and builds the pages of the browser test from it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const npm = join(here, "../..");
const site = join(npm, ".test");
const installed = join(site, "installed");
const run = (folder, program, ...options) => execFileSync(program, options, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
const step = (what) => console.log(what);

rmSync(site, { recursive: true, force: true });
mkdirSync(installed, { recursive: true });

step("packing, and installing into an empty folder");
run(npm, "npm", "pack", "--pack-destination", site, "--silent");
const tarball = readdirSync(site).find((name) => name.endsWith(".tgz"));
// A folder of its own, and not a part of the package that it is in.
run(installed, "npm", "install", "--prefix", installed, "--silent", "--no-audit", "--no-fund", "--offline", join(site, tarball));
// A second copy of the package, as it may come with another dependency.
cpSync(join(installed, "node_modules/evenstep"), join(site, "copy"), { recursive: true });
for (const name of ["digest.js", "plain.html", "inline.html", "worker.html", "worker.js"]) cpSync(join(here, name), join(site, name));

// The page that the read me tells people to paste.
const [, page] = /```html\n([\s\S]*?)```/.exec(readFileSync(join(npm, "README.md"), "utf8"));
writeFileSync(join(installed, "readme.html"), page);

const bin = (name) => join(npm, "node_modules/.bin", name);
const bundle = join(installed, "bundle");
mkdirSync(bundle);
for (const name of ["digest.js", "bundled.js"]) cpSync(join(here, name), join(bundle, name));
writeFileSync(join(bundle, "index.html"), '<!doctype html><meta charset="utf-8"><script type="module" src="./bundled.js"></script>\n');

step("building with Vite");
const vite = (root, out) => run(root, bin("vite"), "build", "--logLevel", "error", "--base", "./", "--target", "es2022", "--outDir", out, "--emptyOutDir");
vite(bundle, join(site, "vite"));

step("building with webpack");
writeFileSync(
  join(bundle, "webpack.config.mjs"),
  `export default { mode: "production", entry: "./bundled.js", output: { path: ${JSON.stringify(join(site, "webpack"))} }, stats: "errors-only" };\n`,
);
execFileSync("node", [join(here, "webpack.mjs"), join(bundle, "webpack.config.mjs")], { cwd: bundle, stdio: "inherit" });
writeFileSync(join(site, "webpack/index.html"), '<!doctype html><meta charset="utf-8"><script type="module" src="./main.js"></script>\n');

for (const name of ["plain", "three", "pixi"]) {
  step(`building the example ${name}`);
  const folder = join(installed, name);
  cpSync(join(npm, "examples", name), folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  vite(folder, join(site, "examples", name));
}
