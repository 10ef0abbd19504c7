import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import * as auth from "./auth.ts";

const email = "a".repeat(320);
const password = "p".repeat(1000);
const id = "0b7d6c1e-8f0a-4f7e-9d52-0d6d3a1c2b3f";

/** The longest input of each schema that is taken, and what is refused. */
const cases: [name: string, schema: z.ZodMiniType, taken: object, refused: object[]][] = [
  [
    "sign-up",
    auth.SignUpBody,
    { email, password, data: { full_name: "n".repeat(200) } },
    [
      {},
      { email },
      { password },
      { email: `${email}a`, password },
      { email, password: `${password}p` },
      { email, password, data: { full_name: "n".repeat(201) } },
    ],
  ],
  ["sign-in", auth.PasswordGrant, { email, password }, [{ email }, { password }]],
  ["refresh", auth.RefreshGrant, { refresh_token: "t".repeat(200) }, [{}, { refresh_token: "t".repeat(201) }]],
  ["recovery", auth.RecoverBody, { email }, [{}]],
  ["recovery's page", auth.RecoverQuery, { redirect_to: "/".repeat(2000) }, [{ redirect_to: "/".repeat(2001) }]],
  ["kind of proof", auth.VerifyType, { type: "recovery" }, [{}, { type: "signup" }]],
  [
    "recovery link",
    auth.VerifyBody,
    { type: "recovery", token_hash: "t".repeat(200) },
    [{ type: "recovery" }, { type: "email_change", token_hash: "t" }, { type: "recovery", token_hash: "t".repeat(201) }],
  ],
  [
    "change of address",
    auth.EmailChangeBody,
    { type: "email_change", email, token: "1".repeat(20) },
    [
      { type: "email_change", email },
      { type: "recovery", email, token: "1" },
      { type: "email_change", email, token: "1".repeat(21) },
    ],
  ],
  ["another code", auth.ResendBody, { type: "signup", email }, [{ email }, { type: "recovery", email }]],
  [
    "change of the account",
    auth.UserUpdate,
    { password, current_password: password, email, phone: "1".repeat(100), data: { full_name: "n".repeat(200) } },
    [{ phone: "1".repeat(101) }, { data: { full_name: "n".repeat(201) } }, { data: { name: "n" } }, { email: `${email}a` }],
  ],
  [
    "second factor",
    auth.FactorBody,
    { factor_type: "totp", friendly_name: "n".repeat(100), issuer: "i".repeat(100) },
    [
      {},
      { factor_type: "phone" },
      { factor_type: "totp", friendly_name: "n".repeat(101) },
      { factor_type: "totp", issuer: "\n" },
    ],
  ],
  ["factor", auth.FactorParams, { id }, [{}, { id: "1" }]],
  [
    "code of the factor",
    auth.FactorVerifyBody,
    { challenge_id: id, code: "1".repeat(64) },
    [{ challenge_id: id }, { code: "1" }, { challenge_id: id, code: "1".repeat(65) }],
  ],
  ["sign-out", auth.LogoutQuery, { scope: "others" }, [{ scope: "all" }]],
  ["kind of sign-in", auth.TokenQuery, { grant_type: "refresh_token" }, [{}, { grant_type: "otp" }]],
];

describe("a body of the auth protocol", () => {
  it.each(cases)("accepts a body for %s, up to its longest texts", (_name, schema, taken) => {
    expect(z.safeParse(schema, taken)).toEqual({ success: true, data: taken });
  });

  it.each(cases)("refuses a body for %s with a missing or wrong field", (_name, schema, _taken, refused) => {
    for (const input of refused) expect(z.safeParse(schema, input).success, JSON.stringify(input).slice(0, 80)).toBe(false);
  });

  it("accepts a body without optional fields, or with null where auth-js sends it", () => {
    expect(z.parse(auth.SignUpBody, { email, password, data: null })).toEqual({ email, password, data: null });
    expect(z.parse(auth.SignUpBody, { email, password, data: {} })).toEqual({ email, password, data: {} });
    expect([z.parse(auth.UserUpdate, {}), z.parse(auth.UserUpdate, { data: null })]).toEqual([{}, { data: null }]);
    expect(z.parse(auth.UserUpdate, { data: {} })).toEqual({ data: {} });
    const factor = { factor_type: "totp", friendly_name: null, issuer: null };
    expect([z.parse(auth.FactorBody, factor), z.parse(auth.RecoverQuery, {})]).toEqual([factor, {}]);
    expect(z.parse(auth.LogoutQuery, {})).toEqual({ scope: "global" });
  });

  it.each([
    [auth.VerifyType, "type", "email_change"],
    [auth.LogoutQuery, "scope", "local"],
    [auth.LogoutQuery, "scope", "global"],
    [auth.TokenQuery, "grant_type", "password"],
  ] as const)("requires the kind of a body: %#", (schema, field, value) => {
    expect(z.parse(schema as z.ZodMiniType, { [field]: value })).toEqual({ [field]: value });
  });

  it("accepts a request for another code of a changed address", () => {
    expect(z.parse(auth.ResendBody, { type: "email_change", email })).toEqual({ type: "email_change", email });
  });
});

// SESSION-1: the names by which auth-js tells errors apart.
it("maps errors of the catalogue to the codes of auth-js", () => {
  expect(auth.protocolCodes).toEqual({
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
  });
});
