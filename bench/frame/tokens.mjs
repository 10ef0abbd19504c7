// @ts-check
// Access tokens of a site, signed here with its own key: signing in thousands of students would take minutes of hashing.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importJWK, SignJWT } from "jose";

/**
 * Returns a function that signs a token for a session, valid for ten minutes.
 * @param {string} dataDir
 */
export async function tokenMaker(dataDir) {
  const { signing_key } = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8"));
  const key = await importJWK(signing_key, "ES256");
  return (/** @type {{ id: string, email: string, sessionId: string }} */ { id, email, sessionId }) =>
    new SignJWT({ email, session_id: sessionId, role: "authenticated", aal: "aal1" })
      .setProtectedHeader({ alg: "ES256", kid: signing_key.kid, typ: "JWT" })
      .setSubject(id)
      .setIssuer("/auth/v1")
      .setAudience("authenticated")
      .setIssuedAt()
      .setExpirationTime("10m")
      .sign(key);
}

/**
 * Returns the session of a sign-in, as the page stores it; throws where it is refused.
 * @param {string} origin @param {{ email: string, password: string }} account @returns {Promise<{ access_token: string }>}
 */
export async function signIn(origin, account) {
  const reply = await fetch(`${origin}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  if (!reply.ok) throw new Error(`The sign-in was answered ${reply.status}.`);
  return /** @type {Promise<{ access_token: string }>} */ (reply.json());
}
