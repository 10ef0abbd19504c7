import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminSessionOf, caller, joinSite, type Member } from "../support/sites/members.ts";
import { hasNginx } from "../support/network/nginx.ts";
import { hasS3Server } from "../support/s3/server.ts";
import type { Site } from "../support/sites/site-process.ts";
import { preparePair, type Pair } from "../support/sites/two-processes/pair.ts";
import { startSharedParts } from "../support/sites/two-processes/shared-parts.ts";
import { metadata } from "../support/uploads.ts";
import { asker, isSoon, newJournal, pause } from "./client.ts";
import { byForm, isLong } from "./form.ts";
import { hashOf } from "./promises.ts";
import { report } from "./report.ts";
import { somePicture } from "./student.ts";
import { startTraffic, type Traffic } from "./traffic.ts";

if (!hasNginx) console.log("No nginx here (Debian: apt-get install nginx): two processes behind it are not tested.");

const stores = isLong && hasS3Server ? (["s3", "disk"] as const) : (["disk"] as const);

describe.runIf(hasNginx).each(stores)("two processes behind nginx on %s", (files) => {
  let parts: Awaited<ReturnType<typeof startSharedParts>>;
  let pair: Pair;
  let traffic: Traffic;
  beforeAll(async () => {
    parts = await startSharedParts(files);
    pair = await preparePair(parts.parts);
    await pair.start();
    traffic = await startTraffic(pair, { students: 3 });
  });
  afterAll(async () => {
    await traffic?.stop();
    await pair?.stop();
    await parts?.close();
  });

  /** Runs an action on one process after the other while students pay and one uploads for as long; returns what went wrong. */
  async function underLoad(rounds: number, restart: (one: Site) => Promise<unknown>) {
    const [mishapsBefore, livesBefore] = [traffic.journal.mishaps.length, traffic.lives()];
    const over = new AbortController();
    const uploading = uploadUntil(pair, await joinSite(pair, `Slow ${randomUUID()}`, true), over.signal);
    for (let round = 0; round < rounds; round += 1) {
      for (const one of pair.processes) {
        const lives = traffic.lives();
        expect(await isSoon(() => traffic.lives() > lives + 1, 60_000)).toBe(true);
        await restart(one);
      }
    }
    over.abort();
    const upload = await uploading;
    expect(traffic.lives()).toBeGreaterThan(livesBefore + 3);
    const mishaps = traffic.journal.mishaps.slice(mishapsBefore).map(({ what }) => what);
    const lost = [...(await traffic.missing()), ...upload.complaints];
    return { mishaps, lost, wrongs: traffic.journal.wrongs, resumed: upload.resumed };
  }

  // RUN-14
  it("lose no request and no upload when one after the other is restarted", async () => {
    const { mishaps, lost, wrongs, resumed } = await underLoad(byForm(1, 5), async (one) => {
      expect(await one.end()).toEqual({ code: 0, signal: null });
      await one.start();
    });
    // A piece of an upload may take longer than a stop waits; it goes on at the other process.
    const failed = mishaps.filter((what) => !what.startsWith("PATCH /storage/v1/upload/resumable/"));
    const note = `${traffic.journal.replies} replies, the slow upload went on ${resumed} times, ${mishaps.length - failed.length} others`;
    report({ fault: `a rolling restart on ${files}`, complaints: [...failed, ...lost, ...wrongs], note });
    expect({ failed, lost, wrongs }).toEqual({ failed: [], lost: [], wrongs: [] });
  });

  // RUN-14
  it("lose nothing that was acknowledged when one is killed", async () => {
    const { mishaps, lost, wrongs, resumed } = await underLoad(byForm(1, 5), async (one) => {
      await one.kill();
      await pause(500);
      await one.start();
    });
    // nginx replies 502 to what the killed process had begun, and to nothing else.
    const others = mishaps.filter((what) => !/ 502 /.test(what));
    const note = `${mishaps.length} requests were cut, the upload went on ${resumed} times`;
    report({ fault: `kill -9 of one of two on ${files}`, complaints: [...others, ...lost, ...wrongs], note });
    expect({ others, lost, wrongs }).toEqual({ others: [], lost: [], wrongs: [] });
  });
});

const tus = { "tus-resumable": "1.0.0" };
const pieceBytes = 64 * 1024;

/** Uploads a picture slowly until it is told to hurry, going on from where the site says; then submits it and reads it back. */
async function uploadUntil(site: Site, member: Member, hurry: AbortSignal): Promise<{ complaints: string[]; resumed: number }> {
  const bytes = Buffer.concat([await somePicture(), Buffer.alloc(16 * 1024 * 1024, randomUUID())]);
  const headers = { ...tus, authorization: `Bearer ${member.session.access_token}` };
  const path = await begin(site, headers, bytes.length);
  let resumed = 0;
  for (let offset = 0; offset < bytes.length;) {
    const sent = await fetch(site.url + path, {
      method: "PATCH",
      headers: {
        ...headers,
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(offset),
      },
      body: slowly(bytes.subarray(offset), hurry),
      duplex: "half",
    } as RequestInit).catch(() => undefined);
    if (sent?.status === 204) break;
    resumed += 1;
    await pause(200);
    const at = await fetch(site.url + path, { method: "HEAD", headers }).catch(() => undefined);
    if (resumed > 200) return { complaints: [`the upload: PATCH ${sent?.status}, HEAD ${at?.status}`], resumed };
    offset = at?.status === 200 ? Number(at.headers.get("upload-offset")) : offset;
  }
  const stored = await readBack(site, member, path.slice(path.lastIndexOf("/") + 1));
  return { complaints: hashOf(stored) === hashOf(bytes) ? [] : ["the bytes of the upload"], resumed };
}

/** Asks for a new upload until it is there, since a process may be killed meanwhile; returns its path. */
async function begin(site: Site, headers: Record<string, string>, length: number): Promise<string> {
  const named = metadata({ bucketName: "payment-screenshots", filename: "paid.png", filetype: "image/png" });
  let path: string | undefined;
  let status: number | undefined;
  const isCreated = await isSoon(async () => {
    const created = await fetch(`${site.url}/storage/v1/upload/resumable`, {
      method: "POST",
      headers: { ...headers, "upload-length": String(length), "upload-metadata": named },
    }).catch(() => undefined);
    status = created?.status;
    const location = created?.status === 201 ? created.headers.get("location") : null;
    if (location) path = new URL(location, site.url).pathname;
    return path !== undefined;
  }, 60_000);
  if (!isCreated || path === undefined) throw new Error(`No upload could be begun: ${status}.`);
  return path;
}

/** A stream of a try's own bytes: one that was cut off may be asked for one more piece during the next try. */
function slowly(bytes: Buffer, hurry: AbortSignal): ReadableStream<Uint8Array> {
  let taken = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = bytes.subarray(taken, taken + pieceBytes);
      taken += piece.length;
      if (piece.length > 0) controller.enqueue(new Uint8Array(piece));
      if (taken >= bytes.length) controller.close();
      else if (!hurry.aborted) await pause(200);
    },
  });
}

async function readBack(site: Site, member: Member, uploadId: string): Promise<Uint8Array> {
  const ask = asker(site.url, newJournal());
  const token = member.session.access_token;
  const quote = await ask("POST", "/api/quotes", { package_type: "starter" }, { token });
  const form = { quote_id: quote.body.id, crypto_type: "bitcoin", upload_id: uploadId, consent: true };
  const submitted = await ask("POST", "/api/payment-requests", form, { token, headers: { "idempotency-key": randomUUID() } });
  const asAdmin = caller(site, (await adminSessionOf(site)).access_token);
  const { url } = await asAdmin("GET", `/api/payment-requests/${submitted.body.id}/screenshot`);
  return new Uint8Array(await (await fetch(new URL(url, site.url))).arrayBuffer());
}
