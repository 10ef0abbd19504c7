import * as z from "zod/mini";
import { maxPasswordLength } from "#domain/accounts/accounts";
import { code } from "#domain/api/fields";
import type { ErrorCode } from "#domain/errors/messages";
import { auth, dataOf } from "../../platform/auth-client.ts";
import { refusal } from "../../platform/errors.ts";

/** The field that an error of the auth service concerns. */
export const fieldOfCode = {
  full_name_missing: "full_name",
  full_name_invalid: "full_name",
  email_invalid: "email",
  email_reserved: "email",
  password_weak: "password",
  password_too_long: "password",
  password_same: "password",
} as const satisfies Partial<Record<ErrorCode, string>>;

export const newPassword = z.string().check(z.maxLength(maxPasswordLength, code("password_too_long")));

interface Credentials {
  email: string;
  password: string;
}

export async function signIn(credentials: Credentials): Promise<true> {
  refuseInDemo();
  await dataOf(auth.signInWithPassword(credentials));
  return true;
}

/** Creates an account. Returns whether it is signed in at once. */
export async function signUp({ full_name, ...credentials }: Credentials & { full_name: string }): Promise<boolean> {
  refuseInDemo();
  const { session } = await dataOf(auth.signUp({ ...credentials, options: { data: { full_name } } }));
  return session !== null;
}

/** Asks for a recovery mail. Succeeds whether or not the address has an account (ACCOUNT-3). */
export async function requestRecovery(email: string): Promise<void> {
  refuseInDemo();
  await dataOf(auth.resetPasswordForEmail(email));
}

/** Signs in by the token of a recovery link, which is good for one use. */
export async function redeemRecoveryToken(token: string): Promise<void> {
  await dataOf(auth.verifyOtp({ token_hash: token, type: "recovery" }));
}

export async function changePassword(password: string): Promise<void> {
  await dataOf(auth.updateUser({ password }));
}

function refuseInDemo(): void {
  if (import.meta.env.MODE === "demo") throw refusal("backend_not_configured");
}
