// Checks that a page can be used without a mouse and without eyes.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { until } from "./harness.mjs";

const AXE = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
/** What a user can operate; the accessibility tree has no other word for it. */
const CONTROLS = new Set([
  "button", "link", "checkbox", "radio", "slider", "spinbutton", "textbox", "combobox", "listbox", "switch", "tab",
  "application", "canvas", "progressbar", "menuitem",
]);
/** What the keyboard must reach. */
const STOPS = `a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])`;

/** Checks a page with axe, its accessibility tree, and the Tab key. */
export async function assertAccessible(page) {
  await assertNoFindings(page);
  await assertNamed(page);
  await assertReachable(page);
}

/** No rule of axe finds anything serious or critical, contrast included. */
export async function assertNoFindings(page) {
  // Through DevTools, because the site's policy allows a page no scripts but its own.
  await page.devtools.send("Runtime.evaluate", { expression: AXE });
  await until(page, "globalThis.axe !== undefined");
  const found = await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations, passes }) => ({
    passes: passes.length,
    bad: violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => [id, help, nodes.map((node) => node.html).join(" ")].join(": ")),
  }))`);
  assert.ok(found.passes > 5, `axe checked ${found.passes} rules`);
  assert.deepEqual(found.bad, [], await page.evaluate("location.href"));
}

/** Every control in the accessibility tree has a name. */
export async function assertNamed(page) {
  const { nodes } = await page.devtools.send("Accessibility.getFullAXTree");
  const controls = nodes.filter(({ ignored, role }) => !ignored && CONTROLS.has(role?.value.toLowerCase()));
  assert.ok(controls.length > 0, "a page has controls");
  const nameless = controls.filter(({ name }) => !name?.value.trim()).map(({ role, backendDOMNodeId }) => `${role.value} ${backendDOMNodeId}`);
  assert.deepEqual(nameless, []);
}

/** Tab reaches every control, each shows that it has the focus, and none keeps it. */
export async function assertReachable(page) {
  const names = await page.evaluate(`{
    globalThis.stops = [...document.querySelectorAll('${STOPS}')].filter((it) => it.checkVisibility() && !it.disabled);
    stops.map((it) => it.id || it.textContent.trim() || it.outerHTML);
  }`);
  const reached = new Set();
  for (let presses = 0; presses < names.length + 3 && reached.size < names.length; presses++) {
    await page.keyboard.press("Tab");
    const [stop, outline] = await page.evaluate(`{
      const it = document.activeElement;
      [stops.indexOf(it), getComputedStyle(it).outlineStyle !== "none" && parseFloat(getComputedStyle(it).outlineWidth) > 0];
    }`);
    if (stop < 0) continue;
    assert.ok(outline, `${names[stop]} shows no outline`);
    reached.add(stop);
  }
  assert.deepEqual(names.filter((_, stop) => !reached.has(stop)), [], "not reached by Tab");
}
