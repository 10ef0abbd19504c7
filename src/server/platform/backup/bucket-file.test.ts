import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { emptyPlace, filesOf, startBackupShop } from "../../../../tests/support/database/backups.ts";
import { hasS3Server, startS3Server, type S3Server } from "../../../../tests/support/s3/server.ts";
import { S3Bucket, type OpenUpload } from "../storage/s3/s3-bucket.ts";
import type { StoredBytes } from "../storage/object-store.ts";
import { backupFile } from "./choose-file.ts";
import { restoreBackup } from "./restore.ts";
import type { BackupSource } from "./write.ts";

let server: S3Server;
let bucket: S3Bucket;
let app: TestApp;
let source: BackupSource;
beforeAll(async () => {
  if (!hasS3Server) return;
  server = await startS3Server();
  bucket = new S3Bucket(server.settings);
  ({ app, source } = await startBackupShop());
});
afterAll(async () => {
  await app?.close();
  bucket?.close();
  await server?.close();
});

const fileOf = (name: string) => backupFile(`s3://${server.settings.bucket}/daily/${name}`, server.settings);

async function unfinished(): Promise<OpenUpload[]> {
  const all: OpenUpload[] = [];
  for await (const page of bucket.uploads("")) all.push(...page);
  return all;
}

// BACKUP-1, BACKUP-2
describe.runIf(hasS3Server)("a backup in a bucket", () => {
  it("is restored with every file, of several parts, and written once", async () => {
    // Two parts and a rest.
    const film = randomBytes(70 * 1024 * 1024);
    const id = randomUUID();
    const { objects } = app.deps;
    await objects.begin(id);
    const writer = (await objects.append(id, 0))!;
    await writer.write(film);
    await writer.flush();
    await writer.close(true);
    await (await objects.complete(id))?.close();
    await app.sql(
      `insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
        values ($1, 'course-videos', 'b.mp4', 'b.mp4', 'video/mp4', $2, now())`,
      [id, film.length],
    );
    const file = await fileOf("monday.tar");
    await file.write(source);
    expect(await file.size()).toBeGreaterThan(film.length);
    await expect(file.write(source)).rejects.toThrow("exists already");
    expect(await unfinished()).toEqual([]);

    const place = await emptyPlace();
    await restoreBackup(place, await file.open());
    expect(await filesOf(place.dataDir)).toEqual(await filesOf(app.deps.config.files.dataDir));
    await file.remove();
    expect(await file.size()).toBeUndefined();
    await expect(file.open()).rejects.toThrow("There is no s3://");
  });

  it("leaves nothing when it fails, nor once a killed one is cleared away", async () => {
    const file = await fileOf("tuesday.tar");
    const broken = (): Promise<StoredBytes> => Promise.reject(new Error("The disk is broken."));
    await expect(file.write({ ...source, objects: { open: broken } })).rejects.toThrow("The disk is broken.");
    expect([await file.size(), await unfinished()]).toEqual([undefined, []]);

    await bucket.beginUpload("daily/tuesday.tar");
    await bucket.beginUpload("daily/tuesday.tar.2");
    await file.removeDrafts();
    expect((await unfinished()).map(({ key }) => key)).toEqual(["daily/tuesday.tar.2"]);
  });

  it("leaves nothing when it is stopped, and the upload of another process alone", async () => {
    const key = "daily/wednesday.tar";
    await bucket.beginUpload(key);
    const stop = new AbortController();
    const open = (): Promise<undefined> => {
      stop.abort(new Error("Stopped."));
      return Promise.resolve(undefined);
    };
    const file = await fileOf("wednesday.tar");
    await expect(file.write({ ...source, objects: { open }, stopped: stop.signal })).rejects.toThrow("Stopped.");
    expect((await unfinished()).filter((one) => one.key === key)).toHaveLength(1);
    expect(await file.size()).toBeUndefined();
    await file.removeDrafts();
  });

  it("is not restored when its bucket is away or unnamed", async () => {
    await expect(backupFile("s3://course-files", server.settings)).rejects.toThrow("Name a bucket and a file");
    await expect(backupFile("s3://course-files/a.tar", undefined)).rejects.toThrow("set S3_ENDPOINT");
    const other = await backupFile("s3://no-such-bucket/a.tar", server.settings);
    await expect(other.open()).rejects.toThrow("There is no s3://no-such-bucket/a.tar");
    const closed = await backupFile("s3://course-files/a.tar", { ...server.settings, endpoint: "http://127.0.0.1:9" });
    await expect(closed.open()).rejects.toMatchObject({ code: "unavailable" });
  });
});
