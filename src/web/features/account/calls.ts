import { auth, dataOf } from "../../platform/auth-client.ts";
import { refuseInDemo } from "../../entities/session/account-calls.ts";

export async function changeName(full_name: string): Promise<void> {
  refuseInDemo();
  await dataOf(() => auth.updateUser({ data: { full_name } }));
}

/** Requests a code, or another one, for a new address; the account's present address cancels a pending change (OWN-3). */
export async function requestEmail(email: string): Promise<void> {
  refuseInDemo();
  await dataOf(() => auth.updateUser({ email }));
}

/** Verifies the new address, which then replaces the old one. */
export async function confirmEmail(email: string, code: string): Promise<void> {
  await dataOf(() => auth.verifyOtp({ type: "email_change", email, token: code }));
  // The stored session names the former address until it is renewed.
  await dataOf(() => auth.refreshSession());
}

/** A new second factor with its recovery codes, displayed once. */
export interface Enrolment {
  factorId: string;
  uri: string;
  secret: string;
  recoveryCodes: string[];
}

export async function enroll(): Promise<Enrolment> {
  refuseInDemo();
  const { id, totp, ...rest } = await dataOf(() => auth.mfa.enroll({ factorType: "totp" }));
  // The types of auth-js have no recovery codes; the server adds them to the reply.
  const { recovery_codes } = rest as unknown as { recovery_codes: string[] };
  return { factorId: id, uri: totp.uri, secret: totp.secret, recoveryCodes: recovery_codes };
}

export async function unenroll(factorId: string): Promise<void> {
  await dataOf(() => auth.mfa.unenroll({ factorId }));
  // The refreshed tokens no longer carry the second factor.
  await dataOf(() => auth.refreshSession());
}
