// @ts-check
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { verify } from "@node-rs/argon2";
import { generateKeyPair, SignJWT } from "jose";

/** @param {import("pg").Pool} pool @returns {import("./server.mjs").Routes} */
export function signInRoutes(pool) {
  const keys = generateKeyPair("ES256");
  return {
    "POST /auth/v1/token": {
      open: async ({ body: { email, password }, response }) => {
        const { rows } = await pool.query({ ...findAccount, values: [email] });
        if (!(await verify(rows[0].password_hash, password)))
          return void response.writeHead(400, { "content-length": 0 }).end();
        const { id } = rows[0];
        const [sessionId, refreshToken] = [randomUUID(), randomBytes(32).toString("base64url")];
        const tokenHash = createHash("sha256").update(refreshToken).digest();
        await pool.query({ ...insertSession, values: [id, sessionId, tokenHash] });
        const token = new SignJWT({ email, session_id: sessionId }).setProtectedHeader({ alg: "ES256" }).setSubject(id);
        const access_token = await token
          .setIssuedAt()
          .setExpirationTime("10m")
          .sign((await keys).privateKey);
        return { access_token, refresh_token: refreshToken, user: { id, email } };
      },
    },
  };
}

const findAccount = {
  name: "account",
  text: "select accounts.id, password_hash, full_name from accounts join profiles using (id) where accounts.email = $1 and email_verified_at is not null",
};

const insertSession = {
  name: "insert-session",
  text: `
    with account as (
      update accounts set last_sign_in_at = now() where id = $1
    ), started as (
      insert into sessions (id, account_id, created_at, last_seen_at, proven_at) values ($2, $1, now(), now(), now()) returning id
    )
    insert into refresh_tokens (token_hash, session_id, created_at) select $3, id, now() from started`,
};
