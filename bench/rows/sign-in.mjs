// @ts-check
// Signing in with a password: argon2id, a session, a refresh token and an access token.
import { deepStrictEqual } from "node:assert";
import { compared } from "../frame/figures.mjs";
import { requestBytes, sendOnce } from "../frame/load.mjs";
import { checkCount } from "../frame/payments.mjs";
import { sideBySide } from "../frame/rounds.mjs";
import { studentPassword } from "../frame/stage.mjs";

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site, bare, students } = await bench.stage();
  deepStrictEqual(await signedInTo(bare, students), await signedInTo(site, students), "Both sign in the same.");
  const [measured, beside] = await sideBySide(
    bench,
    [
      { server: site, round: () => signInRound(site.db, students) },
      { server: bare, round: () => signInRound(bare.db, students) },
    ],
    { connections: 8 },
  );
  return [compared("sign-in", measured, beside, 0.95)];
}

/** Prepares a round of a server. @param {import("pg").Client} db its database @param {import("../frame/stage.mjs").Student[]} students */
export async function signInRound(db, students) {
  const requests = students
    .slice(1, 201)
    .map(({ email }) => requestBytes("POST", "/auth/v1/token?grant_type=password", {}, { email, password: studentPassword }));
  let turn = 0;
  let size = 0;
  const check = (/** @type {import("../frame/load.mjs").Reply} */ { status, body, length }) => {
    size ||= length;
    if (status >= 300 || length !== size || !body.includes('"access_token":"ey'))
      throw new Error(`A sign-in was answered ${status} with ${length} bytes: ${body.toString()}`);
  };
  const next = () => ({ bytes: /** @type {Buffer} */ (requests[turn++ % requests.length]), check });
  return { next, verify: await checkCount(db, { sessions: 1, refresh_tokens: 1 }) };
}

/**
 * Signs in once; returns what both servers reply, without what differs from session to session.
 * @param {import("../frame/rounds.mjs").Server & { db: import("pg").Client }} server @param {import("../frame/stage.mjs").Student[]} students
 */
async function signedInTo(server, students) {
  const { next } = await signInRound(server.db, students);
  const { bytes, check } = next();
  const reply = await sendOnce(server.port, bytes);
  check(reply);
  const { access_token, refresh_token, user } = JSON.parse(reply.body.toString());
  const { sub, email, session_id, exp, iat } = JSON.parse(Buffer.from(access_token.split(".")[1], "base64url").toString());
  const { rows } = await server.db.query("select account_id from sessions where id = $1", [session_id]);
  return {
    sub,
    email,
    owner: rows[0]?.account_id,
    seconds: exp - iat,
    user: { id: user.id, email: user.email },
    refresh: refresh_token.length,
  };
}
