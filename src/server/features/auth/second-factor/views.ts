import type { Enrolment } from "./enroll.ts";
import type { FactorSummary } from "./queries.ts";

/** Returns the `Factor` of auth-js, and how many recovery codes are left. */
export function factorView(factor: FactorSummary): Record<string, unknown> {
  return {
    id: factor.id,
    friendly_name: factor.friendly_name,
    factor_type: "totp",
    status: factor.verified_at === null ? "unverified" : "verified",
    created_at: factor.created_at.toISOString(),
    updated_at: (factor.verified_at ?? factor.created_at).toISOString(),
    ...(factor.last_challenged_at === null ? {} : { last_challenged_at: factor.last_challenged_at.toISOString() }),
    recovery_codes_left: factor.recovery_codes_left,
  };
}

/** Returns the reply to an enrolment as auth-js reads it, plus the recovery codes: auth-js does not store this reply. */
export function enrolmentView({ id, friendlyName, secret, uri, qrCode, recoveryCodes }: Enrolment): Record<string, unknown> {
  return {
    id,
    type: "totp",
    friendly_name: friendlyName,
    totp: { qr_code: qrCode, secret, uri },
    recovery_codes: recoveryCodes,
  };
}
