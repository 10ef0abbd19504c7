// @ts-check
// Payment requests: the quote is taken, and request, audit entry, two mails and notifications are written.
import { deepStrictEqual } from "node:assert";
import { randomUUID } from "node:crypto";
import { compared } from "../frame/figures.mjs";
import { requestBytes, sendOnce } from "../frame/load.mjs";
import { checkCount, quoteRequest, sendAndParse } from "../frame/payments.mjs";
import { sideBySide } from "../frame/rounds.mjs";

const written = {
  payment_requests: 1,
  "audit_log where action = 'payment-request.submit'": 1,
  mail_outbox: 2,
};

/** @typedef {import("../frame/stage.mjs").Student} Student */
/** @typedef {(student: Student) => Promise<string>} TokenOf */

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site, bare, tokenOf } = await bench.stage();
  const sessionOf = async (/** @type {Student} */ { sessionId }) => sessionId;
  deepStrictEqual(await firstSubmit(bare, sessionOf), await firstSubmit(site, tokenOf), "Both take the same payment.");
  // The rest is for the three sides of `scale`.
  const perRound = Math.min(600, site.buyers.perRound(2 / 5, bench.rounds));
  const [measured, beside] = await sideBySide(bench, [
    { server: site, round: () => submitRound(site, site.buyers.take(perRound), tokenOf) },
    { server: bare, round: () => submitRound(bare, bare.buyers.take(perRound), sessionOf) },
  ]);
  return [compared("submit", measured, beside, 0.5)];
}

/**
 * Submits for one student; returns what both servers reply, without ids and times.
 * @param {import("../frame/stage.mjs").Stage["site" | "bare"]} server @param {TokenOf} tokenOf
 */
async function firstSubmit(server, tokenOf) {
  const { next, verify } = await submitRound(server, server.buyers.take(1), tokenOf);
  const sending = next();
  if (sending === undefined) throw new Error("There is no submit.");
  const reply = await sendOnce(server.port, sending.bytes);
  sending.check(reply);
  await verify(1);
  const { user_id, package_type, status, coupon_code, reference, ...rest } = JSON.parse(reply.body.toString());
  const { original_usd, discount_percent, amount_usd, crypto_type, amount_crypto, wallet_address } = rest;
  const price = { original_usd, discount_percent, amount_usd };
  return { user_id, package_type, status, coupon_code, reference, price, crypto_type, amount_crypto, wallet_address };
}

/**
 * Has each student get a quote and upload a screenshot; returns their submits.
 * @param {import("../frame/rounds.mjs").Server & { db: import("pg").Client }} server
 * @param {Student[]} students
 * @param {TokenOf} tokenOf
 */
export async function submitRound({ port, db }, students, tokenOf) {
  /** @type {Buffer[]} */
  const submits = [];
  const uploads = students.map(({ id }) => ({ id: randomUUID(), owner: id }));
  await db.query(insertUploads, [uploads.map(({ id }) => id), uploads.map(({ owner }) => owner)]);
  const waiting = students.map((student, place) => ({ student, upload_id: uploads[place]?.id }));
  const takeTurns = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const token = await tokenOf(one.student);
      const { id } = await sendAndParse(port, quoteRequest(token), 201);
      const headers = { authorization: `Bearer ${token}`, "idempotency-key": randomUUID() };
      const body = { quote_id: id, crypto_type: "bitcoin", upload_id: one.upload_id, consent: true };
      submits.push(requestBytes("POST", "/api/payment-requests", headers, body));
    }
  };
  await Promise.all(Array.from({ length: 8 }, takeTurns));
  const counted = await checkCount(db, written);
  let turn = 0;
  let size = 0;
  const check = (/** @type {import("../frame/load.mjs").Reply} */ { status, body, length }) => {
    size ||= length;
    if (status !== 201 || length !== size) throw new Error(`A submit was answered ${status}: ${body.toString()}`);
  };
  return {
    next() {
      const bytes = submits[turn++];
      return bytes && { bytes, check };
    },
    async verify(/** @type {number} */ count) {
      await counted(count);
      // Sending the mails is no part of the submit, and may take longer than a round.
      await db.query("update mail_outbox set next_attempt_at = null, sent_at = now() where next_attempt_at is not null");
    },
  };
}

/** As a finished upload leaves them, each a picture like no other, so that no request is flagged. */
const insertUploads = `
  with objects as (
    insert into stored_objects (id, bucket, name, filename, owner_id, content_type, size, created_at)
    select id, 'payment-screenshots', id || '.png', 'paid.png', owner, 'image/png', 100000, now() from unnest($1::uuid[], $2::uuid[]) as uploads (id, owner)
    returning id
  )
  insert into screenshot_fingerprints (object_id, sha256, picture, edges, bands)
  select id, sha256(id::text::bytea), convert_to(repeat('p', 18432), 'UTF8'), repeat('0', 36480)::bit(36480),
    array(select hashtext(id::text || band) from generate_series(1, 16) as band)
  from objects`;
