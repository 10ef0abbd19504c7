import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "#server/platform/db/database";
import { startEmbeddedPostgres } from "#server/platform/db/embedded/supervisor";
import { lockKeys } from "#server/platform/db/locks";
import { listenForChanges } from "#server/platform/realtime/changes";
import { loadSecrets, refuseOtherSecrets } from "#server/platform/secrets";
import { databaseUrl } from "../support/database/database-url.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";
import { startTcpProxy } from "../support/network/tcp-proxy.ts";
import { bundleCommands, type Commands } from "../support/sites/commands.ts";
import { soon } from "../support/soon.ts";

let commands: Commands;
let database: ScratchDatabase;
let dataDir: string;
let secrets: string;

beforeAll(async () => {
  database = await scratchDatabase("migrated");
  dataDir = await mkdtemp(join(tmpdir(), "pipwright-secrets-"));
  await chmod(dataDir, 0o755);
  secrets = join(dataDir, "secrets.json");
  await loadSecrets(dataDir, () => Promise.resolve(false));
  commands = await bundleCommands({ "renew-secrets": "src/server/commands/renew-secrets.ts", main: "src/server/main.ts" });
  await database.client.query(`
    insert into accounts (email, password_hash, created_at) values ('nok@example.com', '', now());
    insert into sessions (account_id, created_at) select id, now() from accounts;
    insert into mfa_factors (account_id, friendly_name, sealed_secret, created_at) select id, 'Phone', '', now() from accounts;
    insert into password_recoveries select 'hash', id, now(), now() + interval '1 hour' from accounts;
    insert into email_changes select id, 'new@example.com', '', now(), now() + interval '10 minutes' from accounts`);
});
afterAll(async () => {
  await database.drop();
  await commands?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs the command on the scratch database, without a terminal. */
const renew = (args: string[], environment: Record<string, string> = {}) =>
  commands.run("renew-secrets", args, { DATA_DIR: dataDir, DATABASE_URL: database.url, ...environment });

// RUN-7.
describe("npm run secrets:renew", () => {
  it("prints what is lost and changes nothing without a confirmation", async () => {
    const before = await readFile(secrets, "utf8");
    const { code, lines } = await renew([]);
    expect(code).toBe(1);
    expect(lines.join("\n")).toMatch(
      /All sessions end.*Second factors are removed.*mailed.*except links that undo a change.*Calendars.*subscribe to them anew/s,
    );
    expect(lines.at(-1)).toBe("Nothing was changed. To confirm: npm run secrets:renew -- --yes");
    expect(await readFile(secrets, "utf8")).toBe(before);
  });

  it("refuses to renew the secrets while a site runs on the database", async () => {
    const before = await readFile(secrets, "utf8");
    const site = await listenForChanges(database.connection, () => {});
    const { code, lines } = await renew(["--yes"]);
    await site.close();
    expect([code, lines.at(-1)]).toEqual([1, "A site is running on this database. Stop it first."]);
    expect(await readFile(secrets, "utf8")).toBe(before);
    expect((await database.client.query("select 1 from sessions where revoked_at is null")).rowCount).toBe(1);
  });

  it("refuses to renew the secrets while a site runs on the data folder", async () => {
    const site = await startEmbeddedPostgres({ dataDir, say: () => {}, settings: { fsync: "off" } });
    const { code, lines } = await renew(["--yes"], { DATABASE_URL: "" });
    await site.stop();
    expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(/^Already running on this data folder/)]);
  });

  it.each([
    ["are damaged", () => writeFile(secrets, "{}")],
    ["are missing", () => rm(secrets)],
  ])("makes new secrets when they %s, ends sessions and links, removes factors", async (_how, lose) => {
    await lose();
    await expect(loadSecrets(dataDir, () => Promise.resolve(true))).rejects.toThrow(/npm run secrets:renew/);
    expect((await renew(["--yes"])).code).toBe(0);
    await loadSecrets(dataDir, () => Promise.resolve(true));
    expect((await stat(secrets)).mode & 0o777).toBe(0o600);
    expect((await database.client.query("select 1 from sessions where revoked_at is null")).rowCount).toBe(0);
    expect((await database.client.query("select 1 from mfa_factors")).rowCount).toBe(0);
    expect((await database.client.query("select 1 from password_recoveries")).rowCount).toBe(0);
    expect((await database.client.query("select 1 from email_changes")).rowCount).toBe(0);
    const { rows } = await database.client.query("select actor_email from audit_log where action = 'secrets.renew' limit 1");
    expect(rows).toEqual([{ actor_email: "npm run secrets:renew" }]);
  });

  it("replaces every key of secrets that are whole, for an owner whose backup leaked", async () => {
    const stored = async (): Promise<string[]> =>
      Object.values(JSON.parse(await readFile(secrets, "utf8"))).map((key) => JSON.stringify(key));
    const before = await stored();
    expect((await renew(["--yes"])).code).toBe(0);
    const after = await stored();
    expect(after).toHaveLength(before.length);
    expect(after.filter((key) => before.includes(key))).toEqual([]);
  });

  it("has a start with the old file refused, also one before any with the new file", async () => {
    const db = openDatabase(database.connection, () => {});
    onTestFinished(() => db.$client.end());
    const start = async (): Promise<void> =>
      refuseOtherSecrets(db, dataDir, await loadSecrets(dataDir, () => Promise.resolve(true)));
    const old = await readFile(secrets, "utf8");
    expect((await renew(["--yes"])).code).toBe(0);
    const renewed = await readFile(secrets, "utf8");
    await writeFile(secrets, old);
    await expect(start()).rejects.toThrow("is not the one that the database is used with");
    await writeFile(secrets, renewed);
    await start();
  });

  // RUN-14
  it("ends a site that was cut off from the database meanwhile, once it is back", async () => {
    const way = await startTcpProxy(database.connection as { host: string; port: number });
    const url = databaseUrl({ ...database.connection, host: way.host, port: way.port });
    const environment = { DATA_DIR: dataDir, DATABASE_URL: url, PORT: "0", ADMIN_PASSWORD: "" };
    const site = commands.start("main", [], { ...environment, PRICE_API_URL: "http://127.0.0.1:2/" });
    onTestFinished(async () => {
      site.kill("SIGKILL");
      await way.close();
    });
    const ended = once(site, "close");
    let [said, faults] = ["", ""];
    site.stdout!.on("data", (data: string) => (said += data));
    site.stderr!.on("data", (data: string) => (faults += data));
    await soon(() => expect(said + faults).toContain("is ready"));

    await way.refuse();
    const held = `select from pg_locks join pg_database on pg_database.oid = database where datname = current_database() and objid = $1`;
    const locks = () => database.client.query(held, [lockKeys.runningSite]);
    await soon(async () => expect((await locks()).rowCount).toBe(0));
    expect((await renew(["--yes"])).code).toBe(0);
    await way.restore();

    await soon(() => expect(site.exitCode).toBe(1));
    await ended;
    expect(faults.trim().split("\n").at(-1)).toMatch(/secrets\.json is not the one that the database is used with\./);
  });
});
