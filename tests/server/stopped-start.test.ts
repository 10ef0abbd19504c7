import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { lockKeys } from "#server/platform/db/locks";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";
import { bundleCommands, type Commands } from "../support/sites/commands.ts";
import { soon } from "../support/soon.ts";

let commands: Commands;
let dataDir: string;
let database: ScratchDatabase;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "pipwright-stopped-"));
  commands = await bundleCommands({ main: "src/server/main.ts" });
  database = await scratchDatabase("migrated");
});
afterAll(async () => {
  await database?.drop();
  await commands?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

// ACCESS-2
it("prints the admin's password also when it is stopped while it stores it", async () => {
  const query = (text: string) => database.client.query(text);
  await query(`select pg_advisory_lock(${lockKeys.adminRole})`);
  const environment = { DATA_DIR: dataDir, PORT: "0", DATABASE_URL: database.url, ADMIN_EMAIL: "owner@example.com" };
  const site = commands.start("main", [], { ...environment, ADMIN_PASSWORD: "" });
  onTestFinished(() => void site.kill("SIGKILL"));
  let output = "";
  site.stdout!.on("data", (data: string) => (output += data));
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await soon(async () => expect((await query(waiting)).rows).toHaveLength(1));

  const ended = once(site, "close");
  site.kill("SIGTERM");
  await soon(() => expect(output).toContain("Stopping…"));
  await query(`select pg_advisory_unlock(${lockKeys.adminRole})`);

  expect(await ended).toEqual([0, null]);
  expect((await query("select email from accounts")).rows).toEqual([{ email: "owner@example.com" }]);
  expect(output).toMatch(/^Admin: owner@example\.com {2}password: \S+ {2}\(shown only this once\)$/m);
});
