import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { joinSite } from "../support/sites/members.ts";
import { prepareSite, type Site } from "../support/sites/site-process.ts";
import { metadata } from "../support/uploads.ts";
import { asker, isSoon, newJournal, type Ask } from "./client.ts";
import { startOwnPostgres, type OwnPostgres } from "./postgres.ts";
import { openFilesOf } from "./processes.ts";
import { hashOf } from "./promises.ts";
import { report } from "./report.ts";
import { siteUnderTraffic } from "./running-site.ts";
import { somePicture } from "./student.ts";
import { startTraffic } from "./traffic.ts";

let postgres: OwnPostgres;
let second: Site | undefined;
afterAll(() => postgres?.remove());
const running = siteUnderTraffic({
  async environment() {
    postgres = await startOwnPostgres();
    return { DATABASE_URL: postgres.url };
  },
  traffic: { students: 1 },
});
afterAll(async () => {
  await second?.end();
});

async function startSecond(): Promise<Site> {
  second = await prepareSite({ DATABASE_URL: postgres.url, DATA_DIR: running.site.dataDir });
  await second.start();
  return second;
}

it("keeps what two processes on one database and folder acknowledge", async () => {
  const other = await startSecond();
  const beside = await startTraffic(other, { students: 1 });
  const lives = running.traffic.lives();
  expect(await isSoon(() => running.traffic.lives() > lives + 1 && beside.lives() > 1, 60_000)).toBe(true);
  await beside.stop();
  const lost = [...(await beside.missing()), ...(await running.traffic.missing())];
  const bad = beside.journal.mishaps.map(({ what }) => what);

  const picture = Buffer.concat([await somePicture(), Buffer.alloc(200_000)]);
  const student = await joinSite(running.site, "Slow Writer", true);
  const token = student.session.access_token;
  const ask = asker(other.url, newJournal());
  const path = await createUpload(ask, token, picture.length);
  const slow = beginSlowly(running.site.url + path, token, picture);
  const id = path.slice(path.lastIndexOf("/") + 1);
  const isWriting = async () => (await openFilesOf(running.site.pid())).some((file) => file.includes(id));
  // Without /proc, the slow writer may begin too late to do harm.
  if (process.platform === "linux") expect(await isSoon(isWriting, 20_000)).toBe(true);
  expect(await isSoon(() => finish(ask, path, token, picture), 40_000)).toBe(true);
  slow.sendRest();
  await isSoon(() => slow.hasEnded(), 20_000);
  const stored = await readFile(join(running.site.dataDir, "objects", id));
  const isWhole = hashOf(stored) === hashOf(picture);
  report({
    fault: "two processes on one database and folder",
    complaints: [...lost, ...bad, ...(isWhole ? [] : ["a file changed"])],
  });
  expect({ lost, bad, isWhole }).toEqual({ lost: [], bad: [], isWhole: true });
});

const tus = { "tus-resumable": "1.0.0" };
const patchType = { ...tus, "content-type": "application/offset+octet-stream" };

async function createUpload(ask: Ask, token: string, size: number): Promise<string> {
  const pairs = metadata({ bucketName: "payment-screenshots", filename: "paid.png", filetype: "image/png" });
  const headers = { ...tus, "upload-length": String(size), "upload-metadata": pairs };
  const reply = await ask("POST", "/storage/v1/upload/resumable", undefined, { token, headers });
  return new URL(reply.headers.get("location") ?? "", "http://localhost").pathname;
}

/** A PATCH that sends its first half and then waits. */
function beginSlowly(address: string, token: string, bytes: Buffer) {
  const headers = {
    ...patchType,
    authorization: `Bearer ${token}`,
    "upload-offset": "0",
    "content-length": String(bytes.length),
  };
  const slow = request(address, { method: "PATCH", headers });
  let isOver = false;
  slow.on("error", () => {}).on("close", () => (isOver = true));
  slow.write(bytes.subarray(0, bytes.length / 2));
  return { hasEnded: () => isOver, sendRest: () => slow.write(Buffer.alloc(bytes.length / 2, "x")) };
}

/** Sends what is missing; true once the whole file is acknowledged. */
async function finish(ask: Ask, path: string, token: string, bytes: Buffer): Promise<boolean> {
  const at = await ask("HEAD", path, undefined, { token, headers: tus });
  if (at.status !== 200) return false;
  const offset = Number(at.headers.get("upload-offset"));
  const headers = { ...patchType, "upload-offset": String(offset) };
  const sent = await ask("PATCH", path, new Uint8Array(bytes.subarray(offset)), { token, headers });
  return sent.status === 204;
}
