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
describe.runIf(hasS3Server)("scheduled backups in a bucket", { timeout: 120_000 }, () => {
  it("are kept and removed as in a folder, while the files are on the disk", async () => {
    const { objects, config, db, clock } = app.deps;
    const write = async (path: string): Promise<void> => {
      const connection = { ...db.$client.options, max: 1 };
      const source = { connection, objects, secrets: await readSecrets(config.files.dataDir), now: clock.now() };
      await (await backupFile(path, config.s3Account)).write(source);
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

  it("of a process that was killed leave no parts", async () => {
    const killed = backupJob({ ...app.deps, write: (path) => begin(path), onError: () => {} });
    const begin = async (path: string): Promise<void> => {
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
