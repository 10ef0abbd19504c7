// Over 250 lines: the ways in which a scheduled backup ends, with one set-up.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { adminEmail, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import { admin } from "../../../../../tests/support/people.ts";
import type { BackgroundJob } from "../../background-job.ts";
import { openDatabase } from "../../db/database.ts";
import { lockKeys } from "../../db/locks.ts";
import { readSecrets } from "../../secrets.ts";
import { backupFile } from "../choose-file.ts";
import { backupJob } from "./job.ts";
import { registerBackupMetrics } from "./metrics.ts";
import type { WriteBackup } from "./process.ts";

const day = 86_400;

let folder: string;
let app: TestApp;
const jobs: BackgroundJob[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pipwright-scheduled-"));
  app = await startApp({ environment: { BACKUP_EVERY: "24h", BACKUP_KEEP: "2", BACKUP_DIR: folder } });
});
afterAll(() => app?.close());
/** Every test begins without the backups and mails of others. */
beforeEach(async () => {
  errors.length = 0;
  await mkdir(folder, { recursive: true });
  await app.sql("truncate backup_runs, mail_outbox");
});
afterEach(async () => {
  await Promise.all(jobs.splice(0).map((job) => job.stop()));
  await rm(folder, { recursive: true });
});

/** As the command does, in this process. */
const good: WriteBackup = async (path) => {
  const { objects, config, db, clock } = app.deps;
  const secrets = await readSecrets(config.files.dataDir);
  const file = await backupFile(path, config.s3Account);
  const source = { connection: { ...db.$client.options, max: 1 }, objects, secrets, now: clock.now() };
  return (await file.write(source)).lost.length;
};
const failing: WriteBackup = () => Promise.reject(new Error("No space left"));

const errors: string[] = [];
function jobOf({ deps }: TestApp, write: WriteBackup): BackgroundJob {
  const job = backupJob({ ...deps, write, onError: (what, error) => errors.push(`${what}: ${String(error)}`) });
  jobs.push(job);
  return job;
}

const files = async (): Promise<string[]> => (await readdir(folder)).toSorted();
const figuresIn = (metrics: string): string[] => metrics.split("\n").filter((line) => line.startsWith("backup_"));
const figures = async ({ url }: TestApp): Promise<string[]> => figuresIn(await (await fetch(`${url}/metrics`)).text());
const health = async (): Promise<unknown> => (await (await admin(app)).call("GET", "/api/stats")).body.backups;

// BACKUP-4, BACKUP-5
describe("scheduled backups", () => {
  it("makes a backup at once and after each interval, and keeps the newest", async () => {
    const job = jobOf(app, good);
    await job.run();
    const [first] = await files();
    expect(first).toMatch(/^pipwright-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.tar$/);
    app.clock.advance(day - 1);
    await job.run();
    expect(await files()).toEqual([first]);
    app.clock.advance(1);
    await job.run();
    expect(await files()).toHaveLength(2);
    app.clock.advance(day);
    await job.run();
    expect(await files()).toHaveLength(2);
    expect(await files()).not.toContain(first);
  });

  it("leaves files alone that the schedule has not made", async () => {
    const others = ["pipwright-2020-01-01T00-00-00.000Z.tar", "monday.tar"];
    for (const name of others) await writeFile(join(folder, name), name);
    const job = jobOf(app, good);
    for (let run = 0; run < 4; run++) {
      await job.run();
      app.clock.advance(day);
    }
    expect(await files()).toHaveLength(4);
    for (const name of others) expect(await readFile(join(folder, name), "utf8")).toBe(name);
  });

  it("repeats a failed backup hourly, removes nothing and mails the admin once", async () => {
    let write = good;
    const job = jobOf(app, (path, stop) => write(path, stop));
    await job.run();
    app.clock.advance(day);
    await job.run();
    const kept = await files();
    write = failing;
    app.clock.advance(day);
    for (let run = 0; run < 3; run++) {
      await job.run();
      app.clock.advance(3599);
      await job.run();
      app.clock.advance(1);
    }
    expect(await files()).toEqual(kept);
    expect(await health()).toMatchObject({ failures: 3, problem: "No space left", is_overdue: false });
    const failed = async () => (await mailsTo(app, adminEmail)).filter(({ subject }) => subject === "The backup failed");
    expect(await failed()).toHaveLength(1);
    expect(errors).toHaveLength(3);
    write = good;
    await job.run();
    expect(await health()).toMatchObject({ last_good_at: app.clock.now().toISOString(), failures: 0, problem: null });
    expect(await files()).toHaveLength(2);
    write = failing;
    app.clock.advance(day);
    await job.run();
    expect(await failed()).toHaveLength(2);
  });

  it("removes no complete backup for one that lacks stored files, and mails that once", async () => {
    const job = jobOf(app, good);
    const backUp = async (times: number): Promise<void> => {
      for (let run = 0; run < times; run++) {
        await job.run();
        app.clock.advance(day);
      }
    };
    await backUp(2);
    const complete = await files();
    const lastGood = new Date(app.clock.now().getTime() - day * 1000).toISOString();
    const id = crypto.randomUUID();
    await app.sql(
      `insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
       values ($1, 'course-videos', 'a.mp4', 'a.mp4', 'video/mp4', 6, now())`,
      [id],
    );
    await backUp(4);
    expect((await files()).slice(0, 2)).toEqual(complete);
    expect(await files()).toHaveLength(4);
    expect(await health()).toMatchObject({ last_good_at: lastGood, failures: 0, problem: null, lost_files: 1 });
    expect(errors.slice(-1)).toEqual(["The scheduled backup lacks stored files: Error: Missing or damaged: 1"]);
    const mails = await mailsTo(app, adminEmail);
    expect(mails.map(({ subject }) => subject)).toEqual(["The backup lacks stored files"]);
    expect(mails[0]!.text).toContain(`The last good one is of ${lastGood}. Backups that may have the files are kept.`);

    await app.deps.objects.put(id, Buffer.from("a film"));
    await backUp(2);
    expect(await health()).toMatchObject({ lost_files: 0, is_overdue: false });
    expect(await files()).toHaveLength(2);
    await app.sql("delete from stored_objects where id = $1", [id]);
  });

  it("counts failures since the last good one, and mails the first after any written", async () => {
    let write: WriteBackup = good;
    const job = jobOf(app, (path, stop) => write(path, stop));
    const lacking: WriteBackup = (path, stop) => good(path, stop).then(() => 1);
    for (write of [good, failing, lacking, failing, failing]) {
      await job.run();
      app.clock.advance(day);
    }
    expect(await health()).toMatchObject({ failures: 3, problem: "No space left", lost_files: 1 });
    const mails = await mailsTo(app, adminEmail);
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      "The backup failed",
      "The backup failed",
      "The backup lacks stored files",
    ]);
    write = good;
    await job.run();
    expect(await health()).toMatchObject({ failures: 0, problem: null, lost_files: 0 });
  });

  it("makes each backup in one of two processes", async () => {
    const other = await startApp({ beside: app, environment: { BACKUP_EVERY: "24h", BACKUP_DIR: folder } });
    const write = vi.fn<WriteBackup>(good);
    await Promise.all([app, other].map((process) => jobOf(process, write).run()));
    await jobOf(other, write).run();
    expect(write).toHaveBeenCalledTimes(1);
    expect(await files()).toHaveLength(1);
    await other.close();
  });

  it.each([1, 300])("leaves a backup to a process whose clock is %i s ahead", async (seconds) => {
    const ahead = await startApp({ beside: app, environment: { BACKUP_EVERY: "24h", BACKUP_DIR: folder } });
    ahead.clock.advance(seconds);
    const write: WriteBackup = async (path, stop) => {
      await jobOf(app, failing).run();
      return good(path, stop);
    };
    await jobOf(ahead, write).run();
    expect(errors).toEqual([]);
    expect(await mailsTo(app, adminEmail)).toEqual([]);
    expect(await files()).toHaveLength(1);
    await ahead.close();
  });

  it("takes a backup over from a process whose clock was wrong", async () => {
    await app.sql("insert into backup_runs (path, started_at, lease_until) values ('/b.tar', $1, $2)", [
      app.clock.now(),
      new Date(app.clock.steady().getTime() + 600_001),
    ]);
    await jobOf(app, good).run();
    expect(await health()).toMatchObject({ failures: 1, problem: "The process that wrote it was ended." });
  });

  it("keeps a killed process's backup if it is whole, else repeats it", async () => {
    const killed = "insert into backup_runs (path, started_at, lease_until) values ($1, $2, $3)";
    const values = (name: string): unknown[] => [join(folder, name), app.clock.now(), app.clock.steady()];
    await app.sql(killed, values("whole.tar"));
    await writeFile(join(folder, "whole.tar"), "whole");
    const job = jobOf(app, good);
    await job.run();
    expect(await files()).toEqual(["whole.tar"]);
    expect(await health()).toMatchObject({ last_good_at: app.clock.now().toISOString(), failures: 0 });

    app.clock.advance(day);
    await app.sql(killed, values("cut.tar"));
    await writeFile(join(folder, "cut.tar.4711.part"), "a draft");
    await job.run();
    expect(await files()).toEqual(["whole.tar"]);
    expect(await health()).toMatchObject({ failures: 1, problem: "The process that wrote it was ended." });
    app.clock.advance(3600);
    await job.run();
    expect(await files()).toHaveLength(2);
  });

  it("asks again for a backup whose place cannot be reached once it is written", async () => {
    let write: WriteBackup = async (path, stop) => {
      const lostFiles = await good(path, stop);
      await rename(folder, `${folder}-away`);
      await symlink(folder, folder);
      return lostFiles;
    };
    const job = jobOf(app, (path, stop) => write(path, stop));
    const back = async (): Promise<void> => {
      await rm(folder);
      await rename(`${folder}-away`, folder);
    };
    await job.run();
    expect([errors.length, await health()]).toEqual([1, expect.objectContaining({ failures: 0, problem: null })]);
    expect(errors[0]).toContain("ELOOP");
    await back();
    app.clock.advance(301);
    await job.run();
    expect(await health()).toMatchObject({ last_good_at: expect.any(String), failures: 0 });
    expect(await mailsTo(app, adminEmail)).toEqual([]);

    app.clock.advance(day);
    await job.run();
    app.clock.advance(3902);
    await job.run();
    app.clock.advance(3599);
    await job.run();
    expect(await health()).toMatchObject({ failures: 1, problem: expect.stringContaining("not reached for an hour") });
    app.clock.advance(1);
    await job.run();
    expect(await health()).toMatchObject({ failures: 2, problem: expect.stringContaining("ELOOP") });
    await back();
    app.clock.advance(3600);
    write = good;
    for (let run = 0; run < 3; run++) {
      await job.run();
      app.clock.advance(day);
    }
    // The one that counted as failed is removed too.
    expect(await files()).toHaveLength(2);
    expect(await app.sql("select path from backup_runs")).toHaveLength(2);
  });

  it.each([
    ["keeps a whole backup whose writing seemed to fail", good, { failures: 0, problem: null }],
    ["reports why one failed that is not there", failing, { failures: 1, problem: "The store is away." }],
  ])("%s, once its place is back", async (_what, begin, expected) => {
    const write: WriteBackup = async (path, stop) => {
      await begin(path, stop).catch(() => {});
      await rename(folder, `${folder}-away`);
      await symlink(folder, folder);
      throw new Error("The store is away.");
    };
    const job = jobOf(app, write);
    for (let run = 0; run < 3; run++) {
      await job.run();
      app.clock.advance(301);
    }
    expect(errors).toEqual([expect.stringMatching(/waits.*ELOOP/)]);
    expect(await health()).toMatchObject({ failures: 0, problem: null });
    await rm(folder);
    await rename(`${folder}-away`, folder);
    await job.run();
    expect(await health()).toMatchObject(expected);
    expect(await mailsTo(app, adminEmail)).toHaveLength(expected.failures);
    expect(await files()).toHaveLength(1 - expected.failures);
  });

  it("leaves a backup to the process that is still making it", async () => {
    const lease = new Date(app.clock.steady().getTime() + 60_000);
    await app.sql("insert into backup_runs (path, started_at, lease_until) values ('/b.tar', $1, $2)", [
      app.clock.now(),
      lease,
    ]);
    const write = vi.fn<WriteBackup>(good);
    await jobOf(app, write).run();
    expect(write).not.toHaveBeenCalled();
  });

  it("waits for a backup that is made by hand", async () => {
    const byHand = new pg.Client({ ...app.deps.db.$client.options });
    await byHand.connect();
    await byHand.query(`begin; select pg_advisory_xact_lock(${lockKeys.backup})`);
    const job = jobOf(app, good);
    await job.run();
    expect(await files()).toEqual([]);
    await byHand.end();
    await expect.poll(() => job.run().then(files)).toHaveLength(1);
    expect(await health()).toMatchObject({ failures: 0 });
  });

  it("neither stops nor makes backups pile up when the clock is set", async () => {
    const begun = app.clock.now();
    onTestFinished(() => app.clock.set((begun.getTime() - app.clock.now().getTime()) / 1000));
    const job = jobOf(app, good);
    await job.run();
    app.clock.set(-10 * day);
    await job.run();
    await job.run();
    expect(await files()).toHaveLength(2);
    expect(await health()).toMatchObject({ last_good_at: app.clock.now().toISOString() });
    app.clock.set(10 * day + 3600);
    await job.run();
    await job.run();
    expect(await files()).toHaveLength(2);
  });

  it("counts a backup that a stop interrupts as not begun", async () => {
    let isWriting = false;
    const job = jobOf(app, async (path, stop) => {
      await writeFile(`${path}.1.part`, "a draft");
      isWriting = true;
      return new Promise((_, reject) => stop.addEventListener("abort", () => reject(stop.reason as Error)));
    });
    void job.run();
    await expect.poll(() => isWriting).toBe(true);
    await job.stop();
    expect(await files()).toEqual([]);
    expect(await health()).toEqual({ last_good_at: null, failures: 0, problem: null, lost_files: 0, is_overdue: false });
    expect(errors).toEqual([]);
    await jobOf(app, good).run();
    expect(await files()).toHaveLength(1);
  });

  // BACKUP-6
  it("reports the last backup's age in overview and metrics, if any is scheduled", async () => {
    expect(await figures(app)).toEqual(["backup_failures 0"]);
    await jobOf(app, good).run();
    app.clock.advance(1.5 * day + 1);
    expect(await health()).toMatchObject({ failures: 0, is_overdue: true });
    expect(await figures(app)).toEqual(["backup_failures 0", "backup_age_seconds 129601"]);

    const without = await startApp({ beside: app });
    expect((await (await admin(without)).call("GET", "/api/stats")).body.backups).toBeNull();
    expect(await figures(without)).toEqual([]);
    const write = vi.fn<WriteBackup>(good);
    await jobOf(without, write).run();
    expect(write).not.toHaveBeenCalled();
    await without.close();
  });

  it("has figures of the database alone, and keeps them while that is away", async () => {
    for (const known of [[], ["backup_failures 0"]]) {
      const db = openDatabase({ ...app.deps.db.$client.options }, () => {});
      const registry = new Registry();
      registerBackupMetrics(registry, { ...app.deps, db });
      if (known.length > 0) await registry.metrics();
      await db.$client.end();
      expect(figuresIn(await registry.metrics())).toEqual(known);
    }
  });

  it("reports a backup as failed whose folder cannot be made", async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, "a file");
    await jobOf(app, good).run();
    expect(await health()).toMatchObject({ failures: 1, problem: expect.stringContaining("EEXIST") });
  });
});
