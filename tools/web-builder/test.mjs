// Tests the site as a whole in a real browser: its policy, its links, and whether everybody can use it. `cargo xtask test`
// runs it; to run it on its own:
//
//   cargo xtask web --build-only
//   node tools/web-builder/test.mjs --server target/web-tool/debug/web-builder --site target/web [--only WORDS]
import assert from "node:assert/strict";
import { assertAccessible, assertNoFindings } from "../browser/access.mjs";
import { PHONE, PHONE_TURNED, open, run, shoot, until, visit } from "../browser/harness.mjs";

const GUIDE = "/docs/guide/";
/** The path of a page of the book. */
const PAGE = /^\/docs\/.*(\/|\.html)$/;

/** Every link of a page, as an address without its origin. */
const links = (page) => page.$$eval("a[href]", (all) => all.map((it) => it.href.replace(location.origin, "")));

const tests = {
  async "everybody can use the game's page"() {
    const page = await open("/?seed=5");
    await until(page, "globalThis.starship?.mode() === 'title'");
    await assertAccessible(page);
  },

  async "the game's page has no findings in its menus, on a desktop and on a phone"() {
    for (const device of [undefined, PHONE, PHONE_TURNED]) {
      const page = await open("/?seed=5", { device });
      const press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      await until(page, "globalThis.starship?.mode() === 'title'");
      await assertNoFindings(page);
      await press("ArrowDown", "ArrowDown", "ArrowDown", "Enter");
      await until(page, "starship.menu() === 'Settings'");
      await assertNoFindings(page);
      await press("Escape", "ArrowUp", "ArrowUp", "ArrowUp", "Enter");
      await until(page, "starship.mode() === 'playing'");
      await press("KeyP");
      await until(page, "starship.mode() === 'paused'");
      await assertNoFindings(page);
    }
  },

  async "everybody can use the lab"() {
    for (const device of [undefined, PHONE]) {
      const page = await open("/lab.html?loops=all", { device });
      await until(page, "globalThis.pacingLab?.frames() > 0");
      await page.evaluate("pacingLab.measure(Float64Array.from({ length: 650 }, (_, n) => n * 1000 / 60))");
      await assertAccessible(page);
    }
  },

  async "every page of the guide can be read and used, and no link is dead"() {
    const page = await open(GUIDE);
    await assertAccessible(page);
    // By path: the anchors of a page, and its links.
    const seen = new Map();
    const waiting = [GUIDE];
    while (waiting.length > 0) {
      const path = waiting.pop();
      if (seen.has(path)) continue;
      await visit(page, path);
      if (path.startsWith(GUIDE)) await assertNoFindings(page);
      const anchors = await page.$$eval("[id]", (all) => all.map((it) => it.id));
      const targets = await links(page);
      seen.set(path, { anchors, targets });
      waiting.push(...targets.map((target) => target.split("#")[0]).filter((target) => PAGE.test(target)));
    }
    assert.ok(seen.size >= 3, [...seen.keys()].join(" "));
    for (const [path, { targets }] of seen) {
      for (const link of targets.filter((target) => target.startsWith("/"))) {
        const [target, anchor] = link.split("#");
        const status = seen.has(target) ? 200 : await page.evaluate(`fetch("${target}").then((answer) => answer.status)`);
        assert.equal(status, 200, `${path} links to ${link}`);
        if (anchor) assert.ok(seen.get(target)?.anchors.includes(decodeURIComponent(anchor)), `${path} links to ${link}`);
      }
    }
    console.log(`     ${seen.size} pages`);
  },

  async "every theme of the guide can be read"() {
    const page = await open(`${GUIDE}first-game.html`);
    for (const theme of ["Light", "Rust", "Coal", "Navy", "Ayu", "Auto"]) {
      await page.click("#mdbook-theme-toggle");
      await page.click(`#mdbook-theme-list button:text-is("${theme}")`);
      await page.keyboard.press("Escape");
      await assertNoFindings(page);
      await shoot(page, `guide-${theme}`);
    }
  },

  async "the guide's search finds a word, and leads to where it stands"() {
    const page = await open(GUIDE);
    await page.click("#mdbook-search-toggle");
    await page.keyboard.type("teleport");
    await until(page, `document.querySelectorAll("#mdbook-searchresults a").length > 1`);
    await assertNoFindings(page);
    await shoot(page, "guide-search");
    await page.keyboard.press("Enter");
    await until(page, `location.pathname === "${GUIDE}interpolation.html" && document.querySelector("main mark")`);
    await page.click("#mdbook-search-toggle");
    await page.keyboard.press("Escape");
    await until(page, `document.querySelector("main mark") === null`);
  },

  async "the guide's contents can be shown and hidden by keyboard, also on a phone"() {
    for (const device of [undefined, PHONE]) {
      const page = await open(`${GUIDE}input.html`, { device });
      const isShown = `(() => {
        const link = document.querySelector("#mdbook-sidebar a[href$='determinism.html']");
        return link.checkVisibility() && link.getBoundingClientRect().right > 0;
      })()`;
      const before = await page.evaluate(isShown);
      assert.equal(before, device === undefined);
      await assertAccessible(page);
      await page.focus("#mdbook-sidebar-toggle");
      await page.keyboard.press("Enter");
      await until(page, `${isShown} === ${!before}`);
      await page.keyboard.press("Space");
      await until(page, `${isShown} === ${before}`);
    }
  },

  async "the guide fits a phone in both directions"() {
    const page = await open(GUIDE, { device: PHONE });
    await shoot(page, "guide-phone");
    const fits = async (path) => {
      const [width, room] = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
      assert.ok(width <= room, `${path}: ${width} of ${room}`);
    };
    // Drawings scroll, because their columns have a meaning.
    const clipped = `[...document.querySelectorAll("pre > code:not(.language-text)")]
      .filter((code) => code.scrollWidth > code.clientWidth).map((code) => code.textContent)`;
    const others = (await links(page)).filter((link) => link.startsWith(GUIDE) && !link.includes("#"));
    for (const path of new Set([GUIDE, ...others])) {
      await visit(page, path);
      await page.setViewportSize(PHONE.viewport);
      await fits(path);
      assert.deepEqual(await page.evaluate(clipped), [], path);
      await page.setViewportSize(PHONE_TURNED.viewport);
      await fits(path);
    }
    await shoot(page, "guide-phone-turned");
    await shoot(await open(`${GUIDE}input.html`), "guide");
  },

  async "game, lab and guide link to each other"() {
    const page = await open("/");
    await until(page, "globalThis.starship?.mode() === 'title'");
    await page.click(`nav a:text-is("Pacing lab")`);
    await until(page, "globalThis.pacingLab?.frames() > 0");
    await page.click(`nav a:text-is("Guide")`);
    await until(page, `location.pathname.startsWith("${GUIDE}") && document.querySelector("main h1")`);
    await page.click(`header a:text-is("Pacing lab")`);
    await until(page, "globalThis.pacingLab?.frames() > 0");
    await page.click(`nav a:text-is("Game")`);
    await until(page, "globalThis.starship?.mode() === 'title'");
    await page.click(`nav a:text-is("Guide")`);
    await until(page, `location.pathname.startsWith("${GUIDE}")`);
    await page.click(`header a:text-is("Game")`);
    await until(page, "globalThis.starship?.mode() === 'title'");
  },

  async "no page runs a script or takes a style that is not a file of the site"() {
    for (const path of ["/", "/lab.html", GUIDE]) {
      const page = await open(path);
      const blocked = await page.evaluate(`new Promise((resolve) => {
        const blocked = [];
        document.addEventListener("securitypolicyviolation", (event) => {
          blocked.push(event.effectiveDirective);
          if (blocked.length === 2) resolve(blocked.sort());
        });
        const script = document.createElement("script");
        script.textContent = "globalThis.intruder = true";
        const style = document.createElement("style");
        style.textContent = "body { opacity: 0 }";
        document.body.append(script, style);
      })`);
      assert.deepEqual(blocked, ["script-src-elem", "style-src-elem"]);
      assert.equal(await page.evaluate("globalThis.intruder"), undefined);
      // These two are ours.
      assert.equal(page.problems.splice(0).length, 2);
    }
  },
};

await run(tests);
