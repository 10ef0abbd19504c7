// Over 250 lines: both commands need one running site.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { backupProcess } from "#server/platform/backup/schedule/process";
import { findSystemPostgres } from "#server/platform/db/embedded/binaries/find-binaries";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#server/platform/db/embedded/supervisor";
import { migrate } from "#server/platform/db/migrate";
import { systemClock } from "#server/platform/clock";
import { SITE_ROLE } from "#server/platform/db/embedded/cluster/access-files";
import { loadSecrets } from "#server/platform/secrets";
import { openDiskStore } from "#server/platform/storage/disk/disk-store";
import { databaseUrl } from "../support/database/database-url.ts";
import { scratchDatabase } from "../support/database/scratch-database.ts";
import { bundleCommands, type Commands } from "../support/sites/commands.ts";

const migrations = resolve(import.meta.dirname, "../../migrations");
const film = randomUUID();
const system = await findSystemPostgres();
let folder: string;
let commands: Commands;
let site: EmbeddedPostgres;

const dataDirOf = (name: string): string => join(folder, name);
const ignore = (): void => {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pipwright-backup-"));
  await chmod(folder, 0o755);
  commands = await bundleCommands({ backup: "src/server/commands/backup.ts", restore: "src/server/commands/restore.ts" });
  const dataDir = dataDirOf("site");
  site = await startEmbeddedPostgres({ dataDir, say: ignore });
  await migrate(site.connection, migrations);
  await site.seal();
  await loadSecrets(dataDir, () => Promise.resolve(false));
  await (await openDiskStore(dataDir, systemClock)).put(film, Buffer.from("a film"));
  await onDatabase(site.connection, (client) =>
    client.query(`
      insert into accounts (email, password_hash, created_at) values ('nok@example.com', E'\\\\นก\\n', now());
      insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
        values ('${film}', 'course-videos', 'a.mp4', 'a.mp4', 'video/mp4', 6, now());
      insert into audit_log (at, action, actor_email, subject_type, subject_id, ip)
        values (now(), 'seed.run', '', 'seed', '', '')`),
  );
});
afterAll(async () => {
  await site?.stop();
  await commands?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function onDatabase<Result>(
  connection: pg.ClientConfig,
  action: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

/** What the backup has to bring back: rows, the file, and who may change the audit log. */
function contentOf(connection: pg.ClientConfig) {
  return onDatabase(connection, async (client) => {
    const { rows } = await client.query<{ accounts: unknown; audit: unknown; objects: unknown }>(`
      select (select jsonb_agg(a) from accounts a) as accounts, (select jsonb_agg(l) from audit_log l) as audit,
        (select jsonb_agg(o) from stored_objects o) as objects`);
    return rows[0]!;
  });
}

const command = (name: "backup" | "restore", args: string[], environment: Record<string, string>) =>
  commands.run(name, args, environment, folder);

// BACKUP-1, BACKUP-2.
describe("npm run backup and npm run restore", () => {
  it("copy a running site into an empty folder, and into another PostgreSQL", async () => {
    const backup = await command("backup", ["monday.tar"], { DATA_DIR: dataDirOf("site") });
    expect([backup.code, backup.lines]).toEqual([
      0,
      expect.arrayContaining([expect.stringMatching(/monday\.tar: \d+ tables, 1 files/)]),
    ]);
    expect((await stat(join(folder, "monday.tar"))).mode & 0o777).toBe(0o600);

    const embedded = await command("restore", ["monday.tar"], { DATA_DIR: dataDirOf("other") });
    expect([embedded.code, embedded.lines.at(-1)]).toEqual([0, expect.stringMatching(/^Restored the backup of .* 1 files\./)]);
    const restored = await startEmbeddedPostgres({ dataDir: dataDirOf("other"), say: ignore });
    const content = await contentOf(restored.connection);
    const change = onDatabase(restored.connection, (client) => client.query("delete from audit_log"));
    await expect(change).rejects.toThrow("permission denied");
    await restored.stop();

    const database = await scratchDatabase("empty");
    await database.client.query(
      `alter database ${database.client.database} owner to ${SITE_ROLE}; alter schema public owner to ${SITE_ROLE}`,
    );
    const asSite = { ...database.connection, user: SITE_ROLE };
    const external = await command("restore", ["monday.tar"], {
      DATA_DIR: dataDirOf("third"),
      DATABASE_URL: databaseUrl(asSite),
    });
    expect([external.code, external.lines.at(-1)]).toEqual([0, expect.stringMatching(/^Restored/)]);
    expect(await contentOf(asSite)).toEqual(content);
    await database.drop();

    expect(content).toEqual(await contentOf(site.connection));
    for (const name of ["other", "third"]) {
      expect(await readFile(join(dataDirOf(name), "objects", film), "utf8")).toBe("a film");
      expect(await readFile(join(dataDirOf(name), "secrets.json"))).toEqual(
        await readFile(join(dataDirOf("site"), "secrets.json")),
      );
    }
  });

  // BACKUP-2
  it.runIf(system)("bring an older major version's database into this one's (system's PostgreSQL)", async () => {
    const dataDir = dataDirOf("old");
    const old = await startEmbeddedPostgres({ dataDir, binaries: system!, say: ignore });
    await migrate(old.connection, migrations);
    await loadSecrets(dataDir, () => Promise.resolve(false));
    await onDatabase(old.connection, (client) =>
      client.query("insert into accounts (email, password_hash, created_at) values ('nok@example.com', 'x', now())"),
    );
    const content = await contentOf(old.connection);
    const DATABASE_URL = databaseUrl(old.connection);
    const backup = await command("backup", ["old.tar"], { DATA_DIR: dataDir, DATABASE_URL });
    expect(backup).toMatchObject({ code: 0 });
    await old.stop();

    expect(await command("backup", ["never.tar"], { DATA_DIR: dataDir })).toEqual({
      code: 1,
      lines: [expect.stringMatching(/made by PostgreSQL \d+; this is 18\. Nothing was changed: make a backup/)],
    });
    expect(await command("restore", ["old.tar"], { DATA_DIR: dataDirOf("new") })).toMatchObject({ code: 0 });
    const restored = await startEmbeddedPostgres({ dataDir: dataDirOf("new"), say: ignore });
    expect(await contentOf(restored.connection)).toEqual(content);
    await restored.stop();
  });

  // BACKUP-4
  it("are run by the schedule, which leaves nothing when it is stopped", async () => {
    vi.stubEnv("DATA_DIR", dataDirOf("site"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const write = backupProcess(commands.fileOf("backup"));
    const never = new AbortController().signal;
    expect(await write(join(folder, "scheduled.tar"), never)).toBe(0);
    expect((await stat(join(folder, "scheduled.tar"))).size).toBeGreaterThan(10_000);
    await expect(write(join(folder, "scheduled.tar"), never)).rejects.toThrow(
      /^.*scheduled\.tar exists already\. Name another file\.$/,
    );
    await expect(write(join(folder, "stopped.tar"), AbortSignal.abort())).rejects.toThrow("SIGTERM");
    expect(await readdir(folder)).not.toContain("stopped.tar");

    const stopping = new AbortController();
    await onDatabase(site.connection, async (client) => {
      // The backup waits for these rows while its draft is there.
      await client.query("begin; lock table accounts");
      const running = write(join(folder, "stopped.tar"), stopping.signal);
      await expect.poll(() => readdir(folder)).toContainEqual(expect.stringMatching(/^stopped\.tar\.\d+\.part$/));
      stopping.abort();
      await client.query("commit");
      await expect(running).rejects.toThrow("Stopped by SIGTERM.");
    });
    expect((await readdir(folder)).filter((name) => name.startsWith("stopped"))).toEqual([]);

    const missing = backupProcess(commands.fileOf("none"));
    await expect(missing(join(folder, "none.tar"), never)).rejects.toThrow(/^node:/);
  });

  // BACKUP-4
  it("keep to the settings of the site that makes one, whatever .env says by now", async () => {
    vi.stubEnv("DATA_DIR", dataDirOf("site"));
    // In tests it is there, empty, and `.env` does not count.
    vi.stubEnv("DATABASE_URL", undefined);
    const home = dirname(commands.fileOf("backup"));
    await writeFile(join(home, "package.json"), '{ "type": "module" }');
    await writeFile(join(home, ".env"), "DATABASE_URL=postgres://course@127.0.0.1:9/another");
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await Promise.all(["package.json", ".env"].map((name) => rm(join(home, name))));
    });
    const byHand = await command("backup", ["by-hand.tar"], { DATA_DIR: dataDirOf("site") });
    expect(byHand).toEqual({ code: 1, lines: [expect.stringContaining("ECONNREFUSED")] });
    const write = backupProcess(commands.fileOf("backup"));
    expect(await write(join(folder, "kept-to.tar"), new AbortController().signal)).toBe(0);
  });

  // BACKUP-6
  it("tell the schedule why they failed, and no warning of Node.js", async () => {
    vi.stubEnv("DATA_DIR", dataDirOf("site"));
    // An SSL mode that the driver warns of.
    vi.stubEnv("DATABASE_URL", "postgres://course@127.0.0.1:9/course?sslmode=require");
    onTestFinished(() => void vi.unstubAllEnvs());
    const write = backupProcess(commands.fileOf("backup"));
    await expect(write(join(folder, "failed.tar"), new AbortController().signal)).rejects.toThrow(
      /^Cannot reach the database \(DATABASE_URL or DATABASE_DIRECT_URL\): [^(]*ECONNREFUSED/,
    );
  });

  // BACKUP-1
  it("name the stored files that are missing, which the schedule counts", async () => {
    vi.stubEnv("DATA_DIR", dataDirOf("site"));
    const stored = join(dataDirOf("site"), "objects", film);
    await rename(stored, `${stored}-away`);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await rename(`${stored}-away`, stored);
    });
    const { code, lines } = await command("backup", ["lacking.tar"], { DATA_DIR: dataDirOf("site") });
    expect([code, lines]).toEqual([
      1,
      expect.arrayContaining([
        `A stored file is missing or damaged, and not whole in the backup: ${film}`,
        "The backup lacks stored files: 1, named above.",
      ]),
    ]);
    const write = backupProcess(commands.fileOf("backup"));
    expect(await write(join(folder, "lacking-too.tar"), new AbortController().signal)).toBe(1);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(["lacking.tar", "lacking-too.tar"]));
  });

  it("end with one line for the operator where they cannot work", async () => {
    const taken = { DATA_DIR: dataDirOf("site") };
    expect(await command("backup", [], taken)).toEqual({ code: 1, lines: [expect.stringMatching(/^Name the file/)] });
    expect(await command("restore", [], taken)).toEqual({ code: 1, lines: [expect.stringMatching(/^Name the backup/)] });
    expect(await command("restore", ["monday.tar"], taken)).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^A site's data is in/)],
    });
    expect(await command("restore", ["none.tar"], { DATA_DIR: dataDirOf("empty") })).toEqual({
      code: 1,
      lines: [`There is no file ${join(folder, "none.tar")}.`],
    });
    expect(await command("backup", ["x.tar"], { DATA_DIR: dataDirOf("empty") })).toEqual({
      code: 1,
      lines: [expect.stringMatching(/secrets\.json is missing/)],
    });
    expect((await command("backup", ["none/x.tar"], taken)).lines.at(-1)).toBe(`There is no folder ${join(folder, "none")}.`);
  });

  // BACKUP-1
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("leave no file and no database when %s stops them", async (signal) => {
    const DATA_DIR = dataDirOf("other");
    const running = join(DATA_DIR, "postgres/cluster/postmaster.pid");
    const child = commands.start("backup", ["stopped.tar"], { DATA_DIR }, folder);
    const ended = once(child, "exit");
    await expect.poll(() => existsSync(running), { interval: 5 }).toBe(true);
    child.kill(signal);
    expect((await ended)[0]).not.toBe(0);
    expect(existsSync(running)).toBe(false);
    expect((await readdir(folder)).filter((name) => name.startsWith("stopped"))).toEqual([]);
  });

  // BACKUP-2
  it("leave no files when a restoration is stopped", async () => {
    const DATA_DIR = dataDirOf("cut");
    expect(await command("backup", ["cut.tar"], { DATA_DIR: dataDirOf("site") })).toMatchObject({ code: 0 });
    const backup = await readFile(join(folder, "cut.tar"));
    // Whoever reads a pipe waits for what is not written yet.
    const pipe = join(folder, "pipe.tar");
    execFileSync("mkfifo", [pipe]);
    const child = commands.start("restore", [pipe], { DATA_DIR }, folder);
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = Promise.all([once(child, "exit"), text(child.stderr!)]);
    const writer = await open(pipe, "w");
    await writer.write(backup.subarray(0, backup.length - 2000));
    await expect.poll(() => existsSync(join(DATA_DIR, "objects", film))).toBe(true);
    child.kill("SIGINT");
    // The end of the pipe comes after the stop, and soon enough for the five seconds to clean up.
    await expect.poll(() => existsSync(join(DATA_DIR, "postgres/cluster/postmaster.pid"))).toBe(false);
    await writer.close();
    expect(await ended).toEqual([[130, null], expect.stringContaining("Stopped by SIGINT.")]);
    expect(await readdir(join(DATA_DIR, "objects"))).toEqual([]);
  });
});
