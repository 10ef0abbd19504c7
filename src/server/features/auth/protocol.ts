import { protocolCodes } from "#domain/api/auth";
import type { ProductError } from "#domain/errors/messages";
import { NoSessionError, type NoSessionReason } from "./sessions/authenticate.ts";
import { WeakPasswordError } from "./passwords/hashing.ts";
import type { AccountRow } from "./queries.ts";
import type { OpenSession } from "./sessions/start.ts";
import { accessTokenSeconds } from "./sessions/tokens.ts";

/** The protocol of Supabase's auth server as auth-js 2.103.0 reads it (its `lib/fetch.js`, `lib/types.ts`, `lib/error-codes.ts`). */
export const apiVersion = "2024-01-01";

const noSessionCodes: Record<NoSessionReason, string> = {
  no_token: "no_authorization",
  bad_token: "bad_jwt",
  session_ended: "session_not_found",
};

export interface ProtocolErrorBody {
  code: string;
  message: string;
  weak_password?: { reasons: readonly string[] };
}

/** The path below which errors have the protocol's form. */
export const authPrefix = "/auth/v1";

export function isAuthCall({ url }: { url: string }): boolean {
  return url.startsWith(`${authPrefix}/`);
}

/** Returns the protocol's body for an error. */
export function protocolBody(error: ProductError): ProtocolErrorBody {
  return {
    code: codeOf(error),
    message: error.message,
    ...(error instanceof WeakPasswordError ? { weak_password: { reasons: error.reasons } } : {}),
  };
}

function codeOf(error: ProductError): string {
  if (error instanceof NoSessionError) return noSessionCodes[error.reason];
  return protocolCodes[error.code] ?? error.code;
}

/** Returns the `User` of auth-js, without role and tier, which `GET /api/me` has. */
export function userView(account: AccountRow): Record<string, unknown> {
  const confirmedAt = account.email_verified_at?.toISOString();
  return {
    id: account.id,
    aud: "authenticated",
    role: "authenticated",
    email: account.email,
    phone: "",
    ...(confirmedAt === undefined ? {} : { email_confirmed_at: confirmedAt, confirmed_at: confirmedAt }),
    last_sign_in_at: account.last_sign_in_at?.toISOString(),
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: { full_name: account.full_name },
    created_at: account.created_at.toISOString(),
    is_anonymous: false,
  };
}

/** Returns the `Session` of auth-js. */
export function sessionView(session: OpenSession): Record<string, unknown> {
  return {
    access_token: session.access_token,
    token_type: "bearer",
    expires_in: accessTokenSeconds,
    expires_at: session.expires_at,
    refresh_token: session.refresh_token,
    user: userView(session.account),
  };
}
