import { createHash, randomBytes } from "node:crypto";
import { importJWK, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { secondsAfter, type Clock } from "../../../platform/clock.ts";
import type { SecondFactorKind } from "../../../platform/db/schema.ts";
import type { Secrets } from "../../../platform/secrets.ts";

/** Seconds an access token is valid; auth-js renews it 90 s before its end. */
export const accessTokenSeconds = 600;

/** The only accepted algorithm, whatever a token's header says (RFC 8725, section 3.1). */
const algorithm = "ES256";
const issuer = "/auth/v1";
const audience = "authenticated";

/** Verified tokens kept in memory, so that the requests of one page need one verification. Sessions are still looked up each time. */
// Stryker disable next-line Limit: one more is as good.
const maxRemembered = 10_000;

const Claims = z.object({ sub: z.uuid(), session_id: z.uuid(), iat: z.number(), exp: z.number(), aal: z.optional(z.string()) });

export interface AccessToken {
  access_token: string;
  /** Seconds since 1970. */
  expires_at: number;
}

/** How a session was proven, as its row has it. */
export interface SessionProof {
  created_at: Date;
  by_recovery: boolean;
  second_factor_at: Date | null;
  /** Null once the factor is off. */
  second_factor_by: SecondFactorKind | null;
}

/** Returns the claims by which auth-js reads the assurance level: `aal`, and `amr` with the newest method first. */
function assuranceOf(proof: SessionProof): { aal: "aal1" | "aal2"; amr: { method: string; timestamp: number }[] } {
  const entry = (method: string, at: Date) => ({ method, timestamp: Math.floor(at.getTime() / 1000) });
  const first = entry(proof.by_recovery ? "otp" : "password", proof.created_at);
  if (proof.second_factor_by === null) return { aal: "aal1", amr: [first] };
  // Where its kind is, its time is.
  return { aal: "aal2", amr: [entry(proof.second_factor_by, proof.second_factor_at!), first] };
}

/** Returns a signed access token (RFC 7519) for a session, valid for ten minutes by the given clock. */
export async function signAccessToken(
  { secrets, clock }: { secrets: Secrets; clock: Clock },
  subject: { accountId: string; sessionId: string; email: string; proof: SessionProof },
): Promise<AccessToken> {
  const now = clock.now();
  const expiresAt = Math.floor(secondsAfter(now, accessTokenSeconds).getTime() / 1000);
  const claims = { email: subject.email, session_id: subject.sessionId, role: "authenticated", ...assuranceOf(subject.proof) };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, kid: secrets.publicJwk.kid, typ: "JWT" })
    .setSubject(subject.accountId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(secrets.signingKey);
  return { access_token: token, expires_at: expiresAt };
}

export interface VerifiedToken {
  accountId: string;
  sessionId: string;
  /** Seconds since 1970. */
  issuedAt: number;
  passedSecondFactor: boolean;
}

/** Returns a function that verifies an access token; it returns undefined for a token that we did not sign or that has expired. */
export function accessTokenReader({
  secrets,
  clock,
}: {
  secrets: Secrets;
  clock: Clock;
}): (token: string) => Promise<VerifiedToken | undefined> {
  const publicKey = importJWK(secrets.publicJwk, algorithm);
  const remembered = new Map<string, VerifiedToken & { expiresAt: number }>();

  return async (token) => {
    const now = clock.now();
    const known = remembered.get(token);
    if (known !== undefined && known.expiresAt * 1000 > now.getTime()) return known;
    remembered.delete(token);
    const options = { algorithms: [algorithm], issuer, audience, currentDate: now };
    const verified = await jwtVerify(token, await publicKey, options).catch(() => undefined);
    const claims = Claims.safeParse(verified?.payload);
    if (!claims.success) return undefined;
    const { sub, session_id, iat, exp, aal } = claims.data;
    // Stryker disable next-line ConditionTrue,ConditionFalse,Boundary,EqualityOperator: it bounds memory, and what is forgotten is verified again.
    if (remembered.size >= maxRemembered) forgetOldest(remembered);
    const ids = { accountId: sub, sessionId: session_id };
    const fresh = { ...ids, issuedAt: iat, passedSecondFactor: aal === "aal2", expiresAt: exp };
    remembered.set(token, fresh);
    return fresh;
  };
}

// Stryker disable all: it bounds memory, which no reply shows.
function forgetOldest(remembered: Map<string, unknown>): void {
  const oldest = remembered.keys().next();
  if (!oldest.done) remembered.delete(oldest.value);
}
// Stryker restore all

/** Returns 256 random bits for a refresh token or a recovery link, in base64url. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the hash that is stored of such a token. Random bits need no salt and no slow hash. */
export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
