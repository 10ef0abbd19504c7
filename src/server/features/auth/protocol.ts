import { protocolCodes } from "#domain/api/auth";
import type { ProductError } from "#domain/errors/messages";
import { NoSessionError, type NoSessionReason } from "./sessions/authenticate.ts";
import { WeakPasswordError } from "./passwords/new-password.ts";
import type { AccountDetails } from "./profile/details.ts";
import { codeSentAt } from "./profile/email-change.ts";
import { factorView } from "./second-factor/views.ts";
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

/** Returns whether a request is one of the protocol, by its path. */
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
export function authUserView(account: AccountDetails): Record<string, unknown> {
  const { emailChange } = account;
  const confirmedAt = account.email_verified_at?.toISOString();
  const times = {
    created_at: account.created_at.toISOString(),
    last_sign_in_at: account.last_sign_in_at?.toISOString(),
    updated_at: (account.updated_at ?? account.created_at).toISOString(),
  };
  return {
    id: account.id,
    aud: "authenticated",
    role: "authenticated",
    email: account.email,
    phone: "",
    ...(confirmedAt === undefined ? {} : { email_confirmed_at: confirmedAt, confirmed_at: confirmedAt }),
    ...(emailChange === undefined
      ? {}
      : { new_email: emailChange.new_email, email_change_sent_at: codeSentAt(emailChange).toISOString() }),
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: { full_name: account.full_name },
    identities: [identityView(account, times)],
    factors: account.factors.map(factorView),
    ...times,
    is_anonymous: false,
  };
}

/** Returns the one `UserIdentity` of auth-js: the account's address. */
function identityView(account: AccountDetails, times: Record<string, unknown>): Record<string, unknown> {
  const { id, email, full_name } = account;
  const email_verified = account.email_verified_at !== null;
  return {
    identity_id: id,
    id,
    user_id: id,
    identity_data: { sub: id, email, full_name, email_verified, phone_verified: false },
    provider: "email",
    ...times,
  };
}

/** Returns the `Session` of auth-js. */
export function authSessionView(session: OpenSession): Record<string, unknown> {
  return {
    access_token: session.access_token,
    token_type: "bearer",
    expires_in: accessTokenSeconds,
    expires_at: session.expires_at,
    refresh_token: session.refresh_token,
    user: authUserView(session.account),
  };
}
