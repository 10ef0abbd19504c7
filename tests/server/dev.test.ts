import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";

const project = join(import.meta.dirname, "../..");

/** A Vite that rebuilds whenever it gets a signal. */
const vite = `
  import { EventEmitter } from "node:events";
  setInterval(() => {}, 1000);
  export async function build() {
    const watcher = Object.assign(new EventEmitter(), { close: async () => {} });
    process.on("SIGUSR2", () => ["START", "END"].forEach((code) => watcher.emit("event", { code })));
    return watcher;
  }
  export const createServer = async () => ({ listen() {}, close() {}, resolvedUrls: { local: ["here"] } });`;

/** A server that ends when it is asked twice, or with the test; a second one ends by itself. */
const server = `
  import { existsSync, writeFileSync } from "node:fs";
  let asked = 0;
  if (!existsSync("started")) {
    writeFileSync("started", "");
    process.stdin.resume().on("end", () => process.exit());
    process.on("SIGTERM", () => (asked++ === 0 ? console.log("server was asked") : process.exit()));
  }
  console.log("server is up");`;

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "pipwright-dev-"));
  for (const name of ["scripts", "package-lock.json", "node_modules/.package-lock.json"])
    cpSync(join(project, name), join(clone, name), { recursive: true });
  for (const folder of ["node_modules/vite", "dist/server"]) mkdirSync(join(clone, folder), { recursive: true });
  writeFileSync(join(clone, "node_modules/vite/package.json"), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(clone, "node_modules/vite/index.js"), vite);
  writeFileSync(join(clone, "dist/server/package.json"), '{ "type": "module" }');
  writeFileSync(join(clone, "dist/server/main.js"), server);
});
afterEach(() => rmSync(clone, { recursive: true }));

interface Dev {
  process: ChildProcess;
  output(): string;
  until(text: string): Promise<void>;
}

function startDev(): Dev {
  const dev = spawn(process.execPath, [join(clone, "scripts/dev.mjs")], { cwd: clone, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => {
    dev.kill("SIGKILL");
    dev.stdin.end();
  });
  let output = "";
  dev.stdout.on("data", (text) => (output += String(text)));
  const until = async (text: string): Promise<void> => {
    while (!output.includes(text)) await once(dev.stdout, "data");
  };
  return { process: dev, output: () => output, until };
}

it("leaves no server behind when it is stopped while it restarts one", async () => {
  const dev = startDev();
  await dev.until("Development: here");
  dev.process.kill("SIGUSR2");
  await dev.until("server is up");
  dev.process.kill("SIGUSR2");
  await dev.until("server was asked");
  dev.process.kill("SIGTERM");
  await once(dev.process, "close");
  expect(dev.output().match(/server is up/g)).toHaveLength(1);
});

it("forgets a build that another run made when it replaces the server", async () => {
  const dev = startDev();
  await dev.until("Development: here");
  writeFileSync(join(clone, "dist/.built-site"), "of the sources");
  dev.process.kill("SIGUSR2");
  await dev.until("server is up");
  expect(existsSync(join(clone, "dist/.built-site"))).toBe(false);
});
