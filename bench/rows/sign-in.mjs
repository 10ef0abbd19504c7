// @ts-check
// Signing in with a password: argon2id, a session, a refresh token and an access token.
import { compared } from "../frame/figures.mjs";
import { requestBytes } from "../frame/load.mjs";
import { checkCount } from "../frame/payments.mjs";
import { sideBySide } from "../frame/rounds.mjs";
import { studentPassword } from "../frame/stage.mjs";

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site, bare, students } = await bench.stage();
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
  const next = () => ({ bytes: /** @type {Buffer} */ (requests[turn++ % requests.length]), check });
  return { next, verify: await checkCount(db, { sessions: 1, refresh_tokens: 1 }) };
}

/** @param {import("../frame/load.mjs").Reply} reply */
function check({ status, body }) {
  if (status >= 300 || !body.includes('"access_token":"ey'))
    throw new Error(`A sign-in was answered ${status}: ${body.toString()}`);
}
