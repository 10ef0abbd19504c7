import * as z from "zod/mini";
import type { ErrorCode } from "../errors/messages.ts";
import { id, plainText } from "./fields.ts";

// Bodies of `/auth/v1`, as auth-js 2.103.0 sends them; what the product does not use is ignored.

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
/** The page after the link; anything but a page of this site is ignored. */
export const RecoverQuery = z.object({ redirect_to: z.optional(z.string().check(z.maxLength(2000))) });
/** `/verify` takes the token of a recovery link, or the code that was mailed to a new address. */
export const VerifyType = z.object({ type: z.enum(["recovery", "email_change"]) });
export const VerifyBody = z.object({ type: z.literal("recovery"), token_hash: z.string().check(z.maxLength(200)) });
export const EmailChangeBody = z.object({ type: z.literal("email_change"), email, token: z.string().check(z.maxLength(20)) });
export const ResendBody = z.object({ type: z.enum(["signup", "email_change"]), email });
export type ResendBody = z.infer<typeof ResendBody>;

/** Strict, since an unknown field would be ignored silently (OWN-4). auth-js adds the challenge of a flow that is not offered. */
export const UserUpdate = z.strictObject({
  password: z.optional(password),
  current_password: z.optional(password),
  email: z.optional(email),
  phone: z.optional(z.string().check(z.maxLength(100))),
  data: z.optional(z.nullable(z.strictObject({ full_name: z.optional(z.string().check(z.maxLength(200))) }))),
  code_challenge: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  code_challenge_method: z.optional(z.nullable(z.string().check(z.maxLength(20)))),
});
export type UserUpdate = z.infer<typeof UserUpdate>;

/** What auth-js sends to enrol a second factor. */
export const FactorBody = z.object({
  factor_type: z.literal("totp"),
  friendly_name: z.optional(z.nullable(plainText(100))),
  issuer: z.optional(z.nullable(plainText(100))),
});
export const FactorParams = z.object({ id });
/** `code` is the app's code or a recovery code. */
export const FactorVerifyBody = z.object({ challenge_id: id, code: z.string().check(z.maxLength(64)) });

const logoutScopes = ["global", "local", "others"] as const;
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
  second_factor_needed: "insufficient_aal",
  second_factor_code_invalid: "mfa_verification_failed",
  second_factor_challenge_expired: "mfa_challenge_expired",
  second_factor_not_found: "mfa_factor_not_found",
  second_factor_exists: "mfa_verified_factor_exists",
  code_resend_too_soon: "over_email_send_rate_limit",
  phone_unsupported: "phone_provider_disabled",
};
