// The types: strict, and without `any`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const npm = fileURLToPath(new URL("..", import.meta.url));
const dist = new URL("../dist/", import.meta.url);

const tsc = (project) => spawnSync("node", ["node_modules/typescript/bin/tsc", "--project", project], { cwd: npm, encoding: "utf8" });

test("uses_of_the_types_pass_tsc_strict_and_misuses_do_not", () => {
  const { status, stdout } = tsc("test/types");
  assert.equal(status, 0, stdout);
});

test("the_types_need_neither_the_dom_nor_disposable_nor_node", () => {
  for (const project of ["plain", "page", "server"]) {
    const { status, stdout } = tsc(`test/types/${project}.json`);
    assert.equal(status, 0, `${project}: ${stdout}`);
  }
});

test("no_type_is_any_and_every_export_has_a_comment", () => {
  const files = readdirSync(dist).filter((name) => name.endsWith(".d.ts"));
  assert.ok(files.length > 10);
  for (const name of files) {
    const types = readFileSync(new URL(name, dist), "utf8");
    const code = types.replace(/\/\*[\s\S]*?\*\//g, "");
    assert.doesNotMatch(code, /\bany\b/, name);
    assert.doesNotMatch(code, /\b_[a-z]/, `${name} shows something internal`);
    for (const [, what] of types.matchAll(/(?<!\*\/\n)^export (?:declare )?(?:class|function|interface|type|const) (\w+)/gm)) {
      // Interfaces that only add `Symbol.dispose` to a class have none.
      assert.ok(new RegExp(`interface ${what}(<E>)? extends Owned`).test(types), `${name}: ${what} has no comment`);
    }
  }
});
