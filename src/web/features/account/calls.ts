import { auth, dataOf } from "../../platform/auth-client.ts";
import { refuseInDemo } from "../../entities/session/account-calls.ts";

export async function changeName(full_name: string): Promise<void> {
  refuseInDemo();
  await dataOf(() => auth.updateUser({ data: { full_name } }));
}

/** Asks for a code at a new address; the account's present address gives a change up that waits (OWN-3). */
export async function requestEmail(email: string): Promise<void> {
  refuseInDemo();
  await dataOf(() => auth.updateUser({ email }));
}

/** Proves the new address, which is the account's from now on. */
export async function confirmEmail(email: string, code: string): Promise<void> {
  await dataOf(() => auth.verifyOtp({ type: "email_change", email, token: code }));
  // The stored session names the former address until it is renewed.
  await dataOf(() => auth.refreshSession());
}

export async function resendEmailCode(email: string): Promise<void> {
  await dataOf(() => auth.resend({ type: "email_change", email }));
}

/** What is shown once while a second factor is set up. */
export interface Enrolment {
  factorId: string;
  uri: string;
  secret: string;
  recoveryCodes: string[];
}

export async function enroll(): Promise<Enrolment> {
  refuseInDemo();
  const { id, totp, ...rest } = await dataOf(() => auth.mfa.enroll({ factorType: "totp" }));
  // auth-js has no recovery codes; the server's stand beside what it knows.
  const { recovery_codes } = rest as unknown as { recovery_codes: string[] };
  return { factorId: id, uri: totp.uri, secret: totp.secret, recoveryCodes: recovery_codes };
}

export async function unenroll(factorId: string): Promise<void> {
  await dataOf(() => auth.mfa.unenroll({ factorId }));
  // The tokens say no longer that a code was given.
  await dataOf(() => auth.refreshSession());
}
