// @ts-check
// Chromium by its DevTools protocol over a pipe, where Playwright is in the way: a tab that a click opens is throttled before its first request.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserFlags, findBrowser } from "../scripts/browser.mjs";

/** @typedef {{ sessionId: string, targetId: string, url: string }} Tab */

/**
 * Starts a browser whose tabs all have this network; `script` runs in each of their documents before its own.
 * @param {Record<string, unknown>} network what `Network.emulateNetworkConditions` takes
 * @param {string} script
 */
export function startBrowser(network, script) {
  const profile = mkdtempSync(join(tmpdir(), "pipwright-browser-"));
  const args = [...browserFlags, "--headless", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"];
  const child = spawn(findBrowser(), args, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const [input, output] = /** @type {[import("node:stream").Writable, import("node:stream").Readable]} */ (
    child.stdio.slice(3)
  );
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  /** @type {Map<string, Tab>} */
  const tabs = new Map();
  let lastId = 0;
  let rest = "";

  /** @param {string} method @param {Record<string, unknown>} [params] @param {string} [sessionId] @returns {Promise<any>} */
  const call = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      input.write(`${JSON.stringify({ id: lastId, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    });

  // What is sent while the browser ends is lost.
  input.on("error", () => {});
  output.setEncoding("utf8").on("data", (text) => {
    const messages = (rest + text).split("\0");
    rest = messages.pop() ?? "";
    for (const message of messages) receive(JSON.parse(message));
  });

  /** @param {any} message */
  function receive({ id, result, error, method, params }) {
    const caller = waiting.get(id);
    waiting.delete(id);
    if (error) caller?.reject(new Error(error.message));
    else caller?.resolve(result);
    if (method === "Target.attachedToTarget") void prepare(params);
    if (method === "Target.detachedFromTarget") tabs.delete(params.sessionId);
  }

  /** @param {{ sessionId: string, targetInfo: { targetId: string, type: string, url: string } }} attached */
  async function prepare({ sessionId, targetInfo: { targetId, type, url } }) {
    if (type === "page") {
      tabs.set(sessionId, { sessionId, targetId, url });
      await call("Network.enable", {}, sessionId);
      await call("Network.emulateNetworkConditions", network, sessionId);
      await call("Page.enable", {}, sessionId);
      await call("Page.addScriptToEvaluateOnNewDocument", { source: script }, sessionId);
    }
    await call("Runtime.runIfWaitingForDebugger", {}, sessionId);
  }

  /** @type {Promise<void> | undefined} */
  let stopping;
  async function stopNow() {
    const ended = new Promise((resolve) => void child.once("exit", resolve));
    if (child.exitCode === null && child.signalCode === null && child.kill()) await ended;
    // A child of the browser may keep its ends open.
    for (const pipe of [input, output]) pipe.destroy();
    // Some of them still write there.
    await rm(profile, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }

  const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

  return {
    call,
    ready: () => call("Target.setAutoAttach", attach),
    /** Opens a tab in a window that shares nothing with the others. @returns {Promise<Tab>} */
    async open() {
      const { browserContextId } = await call("Target.createBrowserContext");
      const before = new Set(tabs.keys());
      const { targetId } = await call("Target.createTarget", { url: "about:blank", browserContextId });
      return until(() => [...tabs.values()].find((tab) => tab.targetId === targetId && !before.has(tab.sessionId)));
    },
    /** Returns the tab that is opened while `act` runs. @param {() => Promise<unknown>} act @returns {Promise<Tab>} */
    async opened(act) {
      const before = new Set(tabs.keys());
      await act();
      return until(() => [...tabs.values()].find((tab) => !before.has(tab.sessionId)));
    },
    /** @param {Tab} tab @param {string} expression @returns {Promise<any>} */
    async evaluate({ sessionId }, expression) {
      const { result, exceptionDetails } = await call(
        "Runtime.evaluate",
        { expression, awaitPromise: true, returnByValue: true },
        sessionId,
      );
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    stop: () => (stopping ??= stopNow()),
  };
}

/**
 * Waits, up to a minute, until there is something; returns it.
 * @template Value @param {() => Value | undefined | Promise<Value | undefined>} find @returns {Promise<Value>}
 */
export async function until(find) {
  for (let tries = 0; tries < 1200; tries++) {
    const found = await find();
    if (found !== undefined && found !== false && found !== null) return found;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  throw new Error(`Waited a minute for ${String(find)}`);
}
