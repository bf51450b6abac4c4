import { assertNoFindings } from "../browser/access.mjs";
import { PHONE, open, run, until, shoot } from "../browser/harness.mjs";
await run({ async "x"() {
  for (const path of ["input", "first-game", "comparison", "stutter"]) {
    const page = await open(`/docs/guide/${path}.html`);
    for (const theme of ["Light", "Rust", "Coal", "Navy", "Ayu", "Auto"]) {
      await page.click("#mdbook-theme-toggle");
      await page.click(`#mdbook-theme-list button:text-is("${theme}")`);
      await page.click("main h1");
      await page.click("#mdbook-search-toggle");
      await page.keyboard.type("teleport");
      await until(page, `document.querySelectorAll("#mdbook-searchresults a").length > 1`);
      await assertNoFindings(page).catch(() => {});
      const bad = await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap(v => v.nodes.map(n => [v.id, n.any[0]?.data?.fgColor, n.any[0]?.data?.bgColor, n.any[0]?.data?.contrastRatio, n.html.slice(0,60)].join(" "))))`);
      const seen = new Set();
      for (const line of bad) { const key = line.split("<")[0]; if (!seen.has(key)) console.log(path, theme, line); seen.add(key); }
      await page.keyboard.press("Escape");
    }
  }
} }, { attempts: 1 });
