// A browser for tests: serves a folder, opens its pages, counts what fails.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { chromium } from "playwright-core";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
};
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];

/** Serves a folder to a browser of its own. */
export async function open(folder, { args = [] } = {}) {
  const server = createServer(async (request, response) => {
    const name = basename(new URL(request.url, "http://page").pathname) || "index.html";
    try {
      const body = await readFile(join(folder, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, ...args] });
  return {
    /** A page in a fresh profile. */
    async page(path, { viewport = { width: 1280, height: 800 }, touch = false } = {}) {
      const context = await browser.newContext({ viewport, hasTouch: touch, isMobile: touch, acceptDownloads: true });
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${server.address().port}${path}`);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

let failures = 0;

/** Prints whether a condition holds. */
export function check(name, condition, detail = "") {
  if (!condition) failures += 1;
  console.log(`${condition ? "ok   " : "FAIL "} ${name}${detail === "" ? "" : `: ${detail}`}`);
}

/** Ends the process, with an error if a check failed. */
export function finish() {
  process.exit(failures ? 1 : 0);
}
