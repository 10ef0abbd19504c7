import * as z from "zod/mini";
import type { ErrorCode } from "../errors/messages.ts";

/** Bodies of `/auth/v1`, as auth-js 2.103.0 sends them; what the product does not use is ignored. */
const email = z.string().check(z.maxLength(320));
const password = z.string().check(z.maxLength(1000));

export const SignUpBody = z.object({
  email,
  password,
  data: z.optional(z.nullable(z.object({ full_name: z.optional(z.string().check(z.maxLength(200))) }))),
});

export const PasswordGrant = z.object({ email, password });
export const RefreshGrant = z.object({ refresh_token: z.string().check(z.maxLength(200)) });
export const RecoverBody = z.object({ email });
/** The one use of `/verify`: the token of a recovery link. */
export const VerifyBody = z.object({ type: z.literal("recovery"), token_hash: z.string().check(z.maxLength(200)) });
export const UserUpdate = z.object({ password: z.optional(password), current_password: z.optional(password) });

export const logoutScopes = ["global", "local", "others"] as const;
export type LogoutScope = (typeof logoutScopes)[number];
export const LogoutQuery = z.object({ scope: z._default(z.enum(logoutScopes), "global") });
export const TokenQuery = z.object({ grant_type: z.enum(["password", "refresh_token"]) });

/** The protocol's own codes for errors of the catalogue; every other error travels under the catalogue's code. */
export const protocolCodes: Partial<Record<ErrorCode, string>> = {
  credentials_invalid: "invalid_credentials",
  password_weak: "weak_password",
  password_same: "same_password",
  password_too_long: "validation_failed",
  email_invalid: "email_address_invalid",
  email_not_verified: "email_not_confirmed",
  refresh_token_invalid: "refresh_token_not_found",
  recovery_link_invalid: "otp_expired",
  invalid_input: "validation_failed",
  body_too_large: "validation_failed",
  too_many_requests: "over_request_rate_limit",
  unexpected: "unexpected_failure",
};
