import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";
import { bundleCommands, type Commands } from "../support/sites/commands.ts";
import { fixedPort } from "../support/network/fixed-port.ts";

let commands: Commands;
let dataDir: string;
let database: ScratchDatabase;
let child: ChildProcess | undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "pipwright-output-"));
  commands = await bundleCommands({ main: "src/server/main.ts" });
  database = await scratchDatabase("migrated");
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await database?.drop();
  await commands?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

// RUN-5.
it.runIf(process.platform === "linux")("serves and stops while its output's disk is full", async () => {
  const port = await fixedPort();
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), DATABASE_URL: database.url, LOG_LEVEL: "info" };
  const site = spawn("sh", ["-c", 'exec "$0" "$1" >/dev/full 2>&1', process.execPath, commands.fileOf("main")], { env });
  child = site;
  const isHealthy = (): Promise<boolean> =>
    fetch(`http://localhost:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isHealthy).toBe(true);
  for (let request = 0; request < 5; request++) expect(await isHealthy()).toBe(true);
  const ended = once(site, "exit");
  site.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});
