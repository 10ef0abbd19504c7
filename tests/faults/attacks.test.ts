import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { joinSite, type Member } from "../support/sites/members.ts";
import { metadata } from "../support/uploads.ts";
import { asker, isSoon, newJournal, pause, type Ask, type Journal } from "./client.ts";
import { byForm, isLong } from "./form.ts";
import { hostilePictures } from "./hostile-pictures.ts";
import { heldBy } from "./processes.ts";
import { startNormalStudent } from "./normal-student.ts";
import { report } from "./report.ts";
import { siteUnderTraffic } from "./running-site.ts";

const running = siteUnderTraffic({ traffic: { students: 0 } });
const attackMs = byForm(4000, 20_000);
const warmUpMs = 20_000;
// A picture process without work ends after 30 s.
const settleMs = 45_000;
const maxGrownMb = 40;
let attackers = 0;

/** Repeats an attack while a normal student goes about; fails when anybody gets a 5xx, and notes the student's worst wait. */
async function underAttack(name: string, attack: (attacker: Member, ask: Ask) => Promise<void>): Promise<Journal> {
  const { site } = running;
  const attacker = await joinSite(site, `Attacker ${++attackers}`, true);
  const journal = newJournal();
  const ask = asker(site.url, journal);
  const normal = await startNormalStudent(site);
  await pause(isLong ? warmUpMs : 0);
  const before = await heldBy(site.pid());
  for (const end = Date.now() + attackMs; Date.now() < end;) await attack(attacker, ask);
  const { worst, rounds, mishaps } = await normal.stop();
  await pause(isLong ? settleMs : 0);
  const after = await heldBy(site.pid());
  const note = `worst wait ${Math.round(worst.ms)} ms (${worst.what}) in ${rounds} rounds; ${before.pssMb} MB before, ${after.pssMb} MB after`;
  const bad = [...journal.mishaps, ...mishaps].map(({ what }) => what);
  const slow = worst.ms > 1000 ? [`the normal student waited ${Math.round(worst.ms)} ms`] : [];
  const grown = isLong && after.pssMb > before.pssMb + maxGrownMb ? [`more than ${maxGrownMb} MB stayed`] : [];
  report({ fault: name, complaints: [...slow, ...bad, ...grown], note });
  console.log(`${name}: ${note}`);
  expect(site.ending()).toBeUndefined();
  expect(bad.slice(0, 5)).toEqual([]);
  expect(rounds).toBeGreaterThan(0);
  return journal;
}

it("serves a normal student while hostile pictures are uploaded", async () => {
  const pictures = Object.entries(await hostilePictures());
  await underAttack("hostile pictures", async ({ session }, ask) => {
    const send = async ([name, bytes]: [string, Buffer]): Promise<void> => {
      const form = new FormData();
      form.set("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "paid.png");
      const { status } = await ask("POST", "/storage/v1/object/payment-screenshots", form, { token: session.access_token });
      expect({ name, isTaken: status < 300 }).toEqual({ name, isTaken: false });
    };
    await Promise.all(pictures.map(send));
  });
});

it("serves a normal student while streams are opened without end", async () => {
  const { url } = running.site;
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  await underAttack("streams held by one account", async ({ session }) => {
    for (const method of ["GET", "HEAD"]) {
      for (let count = 0; count < 50; count++) {
        const request = `${method} /api/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${session.access_token}\r\nConnection: close\r\n\r\n`;
        const socket = connect(Number(port), hostname, () => socket.write(request));
        open.add(socket);
        socket
          .on("error", () => {})
          .on("close", () => open.delete(socket))
          .resume();
      }
    }
    await pause(300);
  });
  // A browser with many tabs has its streams, but one account does not take the place of all others.
  expect(await isSoon(() => open.size < 20, 40_000)).toBe(true);
  for (const socket of open) socket.destroy();
});

it("ends the reply to HEAD on the event stream", async () => {
  const member = await joinSite(running.site, "Head Asker", true);
  const headers = { authorization: `Bearer ${member.session.access_token}` };
  const reply = await fetch(`${running.site.url}/api/events`, { method: "HEAD", headers, signal: AbortSignal.timeout(20_000) });
  expect(reply.status).toBe(200);
});

it("serves a normal student while hostile texts come by every door", async () => {
  const texts = ["nul \0 inside", "lone \ud800 surrogate", "\u202e".repeat(3000), "x".repeat(200_000)];
  await underAttack("hostile texts", async ({ session, email }, ask) => {
    const token = session.access_token;
    for (const text of texts) {
      const path = encodeURIComponent(text.replace(/\p{Surrogate}/gu, "").slice(0, 50));
      await Promise.all([
        ask("POST", "/auth/v1/signup", { email: `${text}@example.com`, password: text, data: { full_name: text } }),
        ask("POST", "/auth/v1/token?grant_type=password", { email, password: text }),
        ask("POST", "/functions/v1/verify-email", { code: text }, { token }),
        ask("POST", "/api/quotes", { package_type: "starter", coupon_code: text }, { token }),
        ask("POST", "/api/payment-requests", { quote_id: text, crypto_type: text, upload_id: text, consent: true }, { token }),
        ask("GET", `/api/videos/${path}%00/play`, undefined, { token }),
        ask("GET", `/storage/v1/object/sign/payment-screenshots/${path}%00?token=%00`),
        ask("GET", `/mailbox.json?to=%00${path}`),
        ask("POST", "/storage/v1/upload/resumable", undefined, { token, headers: tusHeaders(text) }),
      ]);
    }
  });
});

function tusHeaders(text: string): Record<string, string> {
  return {
    "tus-resumable": "1.0.0",
    "upload-length": "10",
    "upload-defer-length": "1",
    "upload-concat": "partial",
    "upload-metadata": metadata({ bucketName: "payment-screenshots", filename: text.slice(0, 500), filetype: "image/png" }),
  };
}
