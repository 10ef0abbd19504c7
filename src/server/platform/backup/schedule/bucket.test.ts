import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { admin } from "../../../../../tests/support/people.ts";
import { hasS3Server, startS3Server, type S3Server } from "../../../../../tests/support/s3/server.ts";
import { readSecrets } from "../../secrets.ts";
import { S3Bucket } from "../../storage/s3/s3-bucket.ts";
import { backupFile } from "../choose-file.ts";
import { backupJob } from "./job.ts";

let server: S3Server;
let bucket: S3Bucket;
let app: TestApp;
beforeAll(async () => {
  if (!hasS3Server) return;
  server = await startS3Server();
  bucket = new S3Bucket(server.settings);
  app = await startApp({
    environment: {
      S3_ENDPOINT: server.settings.endpoint,
      S3_REGION: server.settings.region,
      S3_ACCESS_KEY_ID: server.settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: server.settings.secretAccessKey,
      BACKUP_EVERY: "24h",
      BACKUP_KEEP: "1",
      BACKUP_DIR: `s3://${server.settings.bucket}/daily`,
    },
  });
});
afterAll(async () => {
  await app?.close();
  bucket?.close();
  await server?.close();
});

async function keys(): Promise<string[]> {
  const all: string[] = [];
  for await (const page of bucket.list("")) all.push(...page.map(({ key }) => key));
  return all;
}

// BACKUP-4, BACKUP-5
describe.runIf(hasS3Server)("scheduled backups in a bucket", () => {
  it("keeps and removes backups as in a folder, while the files are on the disk", async () => {
    const { objects, config, db, clock } = app.deps;
    const write = async (path: string): Promise<number> => {
      const connection = { ...db.$client.options, max: 1 };
      const source = { connection, objects, secrets: await readSecrets(config.files.dataDir), now: clock.now() };
      return (await (await backupFile(path, config.s3Account)).write(source)).lost.length;
    };
    const job = backupJob({ ...app.deps, write, onError: (_what, error) => expect.fail(String(error)) });
    await job.run();
    const [first] = await keys();
    expect(first).toMatch(/^daily\/pipwright-.*\.tar$/);
    app.clock.advance(86_400);
    await job.run();
    expect(await keys()).toHaveLength(1);
    expect(await keys()).not.toContain(first);
    const { body } = await (await admin(app)).call("GET", "/api/stats");
    expect(body.backups).toMatchObject({ last_good_at: app.clock.now().toISOString(), failures: 0 });
    await job.stop();
  });

  it("leaves no parts of a killed process's backup", async () => {
    const killed = backupJob({ ...app.deps, write: (path) => begin(path), onError: () => {} });
    const begin = async (path: string): Promise<never> => {
      await bucket.beginUpload(path.slice(`s3://${server.settings.bucket}/`.length));
      throw new Error("It was ended by SIGKILL.");
    };
    app.clock.advance(86_400);
    await killed.run();
    for await (const page of bucket.uploads("")) expect(page).toEqual([]);
    expect(await keys()).toHaveLength(1);
    await killed.stop();
  });
});

// BACKUP-5, BACKUP-6
describe("a scheduled backup", () => {
  it("fails while the bucket is away, and later backups still remove old ones", async () => {
    const store = { S3_ENDPOINT: "http://127.0.0.1:9", S3_REGION: "here", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" };
    const bucketless = { ...store, BACKUP_EVERY: "24h", BACKUP_KEEP: "1", BACKUP_DIR: "s3://course-backups" };
    const site = await startApp({ environment: bucketless });
    const errors: string[] = [];
    const parts = { ...site.deps, onError: (what: string) => void errors.push(what) };
    const failing = backupJob({ ...parts, write: () => Promise.reject(new Error("The store is away.")) });
    await failing.run();
    // Asked for an hour after the lease of five minutes, whether it was written all the same.
    site.clock.advance(3899);
    await failing.run();
    const health = async () => (await (await admin(site)).call("GET", "/api/stats")).body.backups;
    expect(await health()).toMatchObject({ failures: 0, problem: null });
    site.clock.advance(1);
    await failing.run();
    expect(await health()).toMatchObject({ failures: 1, problem: "The store is away." });
    expect(errors.splice(0)).toEqual(["The scheduled backup waits", "The scheduled backup failed"]);
    site.clock.advance(3600);
    await failing.run();
    expect(errors.splice(0)).toEqual(["The scheduled backup waits"]);

    const dir = join(site.deps.config.files.dataDir, "backups");
    const config = { ...site.deps.config, s3Account: undefined, backups: { everySeconds: 86_400, keep: 1, dir } };
    const insert = "insert into backup_runs (path, started_at, ended_at, size) values ($1, now(), now(), 1)";
    await site.sql(insert, [join(dir, "old.tar")]);
    await site.sql(insert, ["s3://course-backups/old.tar"]);
    site.clock.advance(2 * 86_400);
    const inFolder = backupJob({ ...parts, config, write: (path) => writeFile(path, "a backup").then(() => 0) });
    await inFolder.run();
    expect(errors.splice(0)).toEqual([
      "The scheduled backup failed",
      "The old backup s3://course-backups/old.tar could not be removed",
      ...Array<unknown>(2).fill(expect.stringMatching(/^The old backup s3:.*pipwright-.* could not be removed$/)),
    ]);
    const left = await site.sql<{ path: string }>("select path from backup_runs where size is not null order by id");
    expect(left.map(({ path }) => path)).toEqual(["s3://course-backups/old.tar", expect.stringContaining(dir)]);
    await Promise.all([failing.stop(), inFolder.stop()]);
    await site.close();
  });
});
