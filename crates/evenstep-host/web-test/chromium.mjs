// Chromium over its debugging pipe: no packages, and tabs that are really hidden when another one is in front.
// (A test library that emulates the focus keeps every page visible.)
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--window-size=1000,800",
  "--remote-debugging-pipe",
];

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Chromium {
  #process;
  #profile;
  #calls = new Map();
  #listeners = [];
  #last = 0;

  static async launch(executable = process.env.CHROMIUM ?? "/usr/bin/chromium") {
    const browser = new Chromium();
    browser.#profile = await mkdtemp(join(tmpdir(), "chromium-"));
    const flags = [...FLAGS, `--user-data-dir=${browser.#profile}`, "about:blank"];
    browser.#process = spawn(executable, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    const started = new Promise((resolve, reject) => {
      browser.#process.once("spawn", resolve);
      browser.#process.once("error", (error) => reject(new Error(`Chromium is needed (Debian: chromium): ${error}`)));
    });
    await started;
    browser.#read(browser.#process.stdio[4]);
    return browser;
  }

  #read(pipe) {
    let text = "";
    pipe.setEncoding("utf8");
    pipe.on("data", (part) => {
      text += part;
      for (let end; (end = text.indexOf("\0")) >= 0; text = text.slice(end + 1)) {
        const message = JSON.parse(text.slice(0, end));
        const call = this.#calls.get(message.id);
        this.#calls.delete(message.id);
        if (!call) this.#listeners.forEach((listener) => listener(message));
        else if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
        else call.resolve(message.result);
      }
    });
  }

  send(method, params = {}, sessionId) {
    const id = ++this.#last;
    this.#process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.#calls.set(id, { method, resolve, reject }));
  }

  onMessage(listener) {
    this.#listeners.push(listener);
  }

  async close() {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    await this.send("Browser.close").catch(() => {});
    await ended;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A tab of its own, in front of the others. */
export class Tab {
  complaints = [];

  static async open(browser, script = "") {
    const tab = new Tab();
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    Object.assign(tab, { browser, targetId, sessionId });
    browser.onMessage((message) => message.sessionId === sessionId && tab.#hear(message));
    await Promise.all(["Page.enable", "Runtime.enable", "Log.enable"].map((method) => tab.send(method)));
    if (script) await tab.send("Page.addScriptToEvaluateOnNewDocument", { source: script });
    return tab;
  }

  #hear({ method, params }) {
    if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception?.description);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
      this.complaints.push(params.args.map((argument) => argument.value ?? argument.description).join(" "));
    }
    if (method === "Log.entryAdded" && params.entry.level === "error") this.complaints.push(params.entry.text);
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  async evaluate(expression) {
    const options = { expression: `(async () => (${expression}))()`, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async waitFor(expression, what = expression, patienceMs = 15_000) {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(20)) {
      if (await this.evaluate(expression).catch(() => false)) return;
    }
    throw new Error(`not within ${patienceMs} ms: ${what}`);
  }

  async goto(url) {
    await this.send("Page.navigate", { url });
    await this.waitFor(`document.readyState === "complete"`);
  }

  toFront() {
    return this.browser.send("Target.activateTarget", { targetId: this.targetId });
  }

  async key(type, code, options = {}) {
    await this.send("Input.dispatchKeyEvent", { type, code, key: code, ...options });
  }

  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  close() {
    return this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
