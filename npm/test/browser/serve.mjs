#!/usr/bin/env node
// Serves a folder with its subfolders on a free port, for tests. Prints the address in the first line.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const folder = process.argv[process.argv.indexOf("--serve") + 1];
const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8", ".wasm": "application/wasm", ".json": "application/json", ".ico": "image/x-icon",
};
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  let path = join(folder, normalize(decodeURIComponent(pathname)));
  if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
  if (!existsSync(path)) {
    // Browsers ask for an icon on their own, and an error would count as the page's.
    response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
    return;
  }
  response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
  createReadStream(path).pipe(response);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
