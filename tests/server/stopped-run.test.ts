import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const scripts = join(import.meta.dirname, "../../scripts");

/** A program and one that it starts. Both hold a connection to the test while they run, and write to the folder as they end. */
const program = `
  const { spawn } = require("node:child_process");
  const { writeFileSync } = require("node:fs");
  process.on("SIGINT", () => {
    if (process.env.TMPDIR) writeFileSync(process.env.TMPDIR + "/late", "");
    process.exit();
  });
  require("node:net").connect(process.env.TEST_PORT, "127.0.0.1");
  if (process.argv[1] === "first") spawn(process.execPath, ["-e", process.env.PROGRAM, "second"], { stdio: "ignore" });`;

/** One that does not end at SIGINT, and fills the folder where there is one. */
const stubborn = `
  process.on("SIGINT", () => {});
  require("node:net").connect(process.env.TEST_PORT, "127.0.0.1");
  let count = 0;
  setInterval(() => {
    if (process.env.TMPDIR) require("node:fs").writeFileSync(process.env.TMPDIR + "/" + count++, "");
  }, 1);`;

const run = `
  const { runToEnd } = await import("${scripts}/children.mjs");
  const { testInMemory } = await import("${scripts}/memory-base.mjs");
  testInMemory();
  console.log("folder " + process.env.TMPDIR);
  for (const lane of [1, 2])
    void runToEnd(process.execPath, ["-e", process.env.PROGRAM, "first"], process.env).then(() => console.log("next step"));`;

it.each([
  ["SIGINT", "its programs", program, 4],
  ["SIGTERM", "its programs", program, 4],
  ["SIGHUP", "its programs", program, 4],
  ["SIGINT", "programs that would go on", stubborn, 2],
] as const)("a run that gets %s ends with %s and its folder", async (signal, _which, source, count) => {
  const programs: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    onTestFinished(() => void socket.destroy());
    programs.push(new Promise((resolve) => socket.on("error", resolve).on("close", resolve).resume()));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const running = spawn(process.execPath, ["--input-type=module", "-e", run], {
    env: { ...process.env, TMPDIR: undefined, PROGRAM: source, TEST_PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void running.kill("SIGKILL"));
  let output = "";
  running.stdout.on("data", (text) => (output += String(text)));
  while (programs.length < count) await once(server, "connection");
  running.kill(signal);
  expect(await once(running, "close")).toEqual([1, null]);
  await Promise.all(programs);
  expect(output).toMatch(/^folder .*\n$/);
  expect(existsSync(output.slice("folder ".length).trim())).toBe(false);
});
