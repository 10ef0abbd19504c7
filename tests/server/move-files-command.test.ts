import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "#server/platform/clock";
import { listenForChanges } from "#server/platform/realtime/changes";
import { loadSecrets } from "#server/platform/secrets";
import { openDiskStore } from "#server/platform/storage/disk/disk-store";
import type { ObjectStore } from "#server/platform/storage/object-store";
import { openS3Store } from "#server/platform/storage/s3/s3-store";
import { hasS3Server, startS3Server, type S3Server } from "../support/s3/server.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";
import { bundleCommands, type Commands } from "../support/sites/commands.ts";

let commands: Commands;
let server: S3Server;
let database: ScratchDatabase;
let folder: string;
let disk: ObjectStore;
let bucket: ObjectStore;

beforeAll(async () => {
  if (!hasS3Server) return;
  commands = await bundleCommands({ "move-files": "src/server/commands/move-files.ts" });
  [server, database, folder] = await Promise.all([
    startS3Server(),
    scratchDatabase("migrated"),
    mkdtemp(join(tmpdir(), "pipwright-move-")),
  ]);
  await chmod(folder, 0o755);
  await loadSecrets(folder, () => Promise.resolve(false));
  disk = await openDiskStore(folder, systemClock);
  bucket = openS3Store(server.settings, join(folder, "from-s3"));
});
afterAll(async () => {
  await server?.close();
  await database?.drop();
  await commands?.remove();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Stores a file with a row that names its bytes, or others. */
async function addFile(bytes: Buffer, rowOf = bytes): Promise<string> {
  const id = randomUUID();
  await disk.put(id, bytes);
  await database.client.query(
    `insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
      values ($1, 'payment-screenshots', $2, 'a.png', 'image/png', $3, now())`,
    [id, `${id}.png`, rowOf.length],
  );
  const sha256 = createHash("sha256").update(rowOf).digest();
  await database.client.query("insert into screenshot_fingerprints (object_id, sha256) values ($1, $2)", [id, sha256]);
  return id;
}

const hashIn = async (store: ObjectStore, id: string): Promise<string | undefined> => {
  const hash = createHash("sha256");
  const found = await store.open(id);
  for await (const piece of found?.pieces(0, found.size - 1) ?? []) hash.update(piece);
  return found && hash.digest("hex");
};

/** The environment of a site with this data folder, database and bucket. */
function siteEnvironment(): Record<string, string> {
  return {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    ...server.environment,
    // Said of Node.js 20, which is supported here.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };
}

async function run(args: string[] = [], environment: Record<string, string> = {}) {
  const { code, lines } = await commands.run("move-files", args, { ...siteEnvironment(), ...environment }, folder);
  // How many of these there are depends on how long it takes.
  return { code, lines: lines.filter((line) => !/^\d+ of \d+ files/.test(line)) };
}

// FILE-20
describe.runIf(hasS3Server)("npm run move-files", () => {
  it("killed and run again puts every file into the bucket, and back", async () => {
    const large = Array.from({ length: 2 }, (_none, index) => Buffer.alloc(12_000_000, `film ${index}, `));
    const ids = await Promise.all(
      [...large, ...Array.from({ length: 5 }, (_none, index) => Buffer.from(`${index}`))].map((bytes) => addFile(bytes)),
    );
    const expected = await Promise.all(ids.map((id) => hashIn(disk, id)));

    const first = commands.start("move-files", [], siteEnvironment(), folder);
    const ended = once(first, "exit");
    const checked = join(folder, "moved-files.txt");
    await expect.poll(() => readFile(checked, "utf8").catch(() => "")).not.toBe("");
    first.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);

    const second = await run();
    expect(second).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/^Moved \d, found [1-7] there already: 7 of 7 files, 0\.02 of 0\.02 GB\.$/),
        "Now start the site with the S3_ settings. The files at the old place are still there.",
      ],
    });
    expect(await Promise.all(ids.map((id) => hashIn(bucket, id)))).toEqual(expected);

    for (const id of ids) await disk.remove(id);
    expect(await run(["back"])).toMatchObject({
      code: 0,
      lines: [expect.stringMatching(/^Moved 7, found 0 there/), expect.any(String)],
    });
    expect(await Promise.all(ids.map((id) => hashIn(disk, id)))).toEqual(expected);
  });

  it("works while the site runs, and says what is left to do", async () => {
    const site = await listenForChanges(database.connection, () => {});
    onTestFinished(() => site.close());
    const { code, lines } = await run();
    expect([code, lines.at(-1)]).toEqual([0, expect.stringMatching(/^A site is running, .* Stop it, run this again/)]);
  });

  it("names a file that is wrong or missing, moves the others, and fails", async () => {
    const wrong = await addFile(Buffer.from("other bytes"), Buffer.from("these bytes"));
    const missing = await addFile(Buffer.from("soon gone"));
    await disk.remove(missing);
    const sound = await addFile(Buffer.from("sound"));
    const { code, lines } = await run();
    expect(code).toBe(1);
    expect(lines.toSorted()).toEqual(
      [
        `A stored file has other bytes than the database says, or cannot be read, and was not moved: ${wrong}`,
        `A stored file is missing: ${missing}`,
        "Not moved: 2, named above. Mend them and run this again.",
        "Moved 1, found 7 there already: 8 of 10 files, 0.02 of 0.02 GB.",
      ].toSorted(),
    );
    expect([await bucket.size(wrong), await bucket.size(missing), await bucket.size(sound)]).toEqual([undefined, undefined, 5]);
  });

  it("ends with one line where an operator has something to mend", async () => {
    const away = (environment: Record<string, string>, args: string[] = []) => run(args, environment);
    const none = { S3_ENDPOINT: "", S3_REGION: "", S3_BUCKET: "", S3_ACCESS_KEY_ID: "", S3_SECRET_ACCESS_KEY: "" };
    const line = (beginning: string) => ({ code: 1, lines: [expect.stringMatching(new RegExp(`^${beginning}`))] });
    expect(await away(none)).toEqual(line("Set S3_ENDPOINT, S3_REGION"));
    expect(await away({ S3_ENDPOINT: "http://127.0.0.1:9" })).toEqual(line("The store of S3_ENDPOINT cannot be reached"));
    expect(await away({ S3_BUCKET: "no-such-bucket" })).toEqual(line("The store has no such bucket"));
    expect(await away({ S3_SECRET_ACCESS_KEY: "wrong" })).toEqual(line("The store refuses the key"));
    expect(await away({}, ["up"])).toEqual(line("Use npm run move-files"));
  });
});
