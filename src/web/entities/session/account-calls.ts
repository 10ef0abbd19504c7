import type { Factor } from "@supabase/auth-js";
import * as z from "zod/mini";
import { maxPasswordLength, passwordLength, weakPasswordReasons } from "#domain/accounts/accounts";
import { code } from "#domain/api/fields";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { auth, dataOf } from "../../platform/auth-client.ts";
import { isTransient, productErrorOf, refusal } from "../../platform/errors.ts";

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

/** Obviously weak passwords are refused here; the server also refuses those that are easy to guess (ACCOUNT-4). */
export const newPassword = z.string().check(
  z.refine((password) => passwordLength(password) <= maxPasswordLength, code("password_too_long")),
  z.refine((password) => weakPasswordReasons(password).length === 0, code("password_weak")),
);

interface Credentials {
  email: string;
  password: string;
}

export async function signIn(credentials: Credentials): Promise<true> {
  refuseInDemo();
  await dataOf(() => auth.signInWithPassword(credentials));
  return true;
}

/** Creates an account. Returns whether it is signed in at once. */
export async function signUp({ full_name, ...credentials }: Credentials & { full_name: string }): Promise<boolean> {
  refuseInDemo();
  const { session } = await dataOf(() => auth.signUp({ ...credentials, options: { data: { full_name } } }));
  return session !== null;
}

/** Asks for a recovery mail, whose link leads on to `next`. Succeeds whether or not the address has an account (ACCOUNT-3). */
export async function requestRecovery(email: string, next: string | undefined): Promise<void> {
  refuseInDemo();
  await dataOf(() => auth.resetPasswordForEmail(email, next === undefined ? {} : { redirectTo: next }));
}

/** Signs in by the token of a recovery link, which is good for one use. Returns the account. */
export async function redeemRecoveryToken(token: string): Promise<string> {
  const { user } = await dataOf(() => auth.verifyOtp({ token_hash: token, type: "recovery" }));
  if (user === null) throw new ProductError("unexpected");
  return user.id;
}

/** A new password whose reply was lost: it may have been saved. */
let unanswered: string | undefined;

/**
 * Sets a new password. `current` may be left out for an hour in a session that came from a recovery link. Repeated after a lost reply, it
 * succeeds where the password was saved the first time.
 */
export async function changePassword(password: string, current?: string): Promise<void> {
  refuseInDemo();
  try {
    await sendPassword(password, current);
  } catch (thrown) {
    // Where the present one was typed as the new one, that it is the account's says nothing.
    const isSaved = password === unanswered && password !== current && (await isOwnPassword(password));
    if (isTransient(thrown)) unanswered = password;
    if (!isSaved) throw thrown;
  }
  unanswered = undefined;
}

async function sendPassword(password: string, current?: string): Promise<void> {
  await dataOf(() => auth.updateUser({ password, ...(current === undefined ? {} : { current_password: current }) }));
}

/** Returns whether the account has this password: the server then refuses it as a new one. */
function isOwnPassword(password: string): Promise<boolean> {
  return sendPassword(password, password).then(
    () => true,
    (refused: unknown) => productErrorOf(refused).code === "password_same",
  );
}

/** Throws in the demo, which has no accounts (DEMO-2). */
export function refuseInDemo(): void {
  if (import.meta.env.MODE === "demo") throw refusal("backend_not_configured");
}

/** Verifies the second factor with an app code or a recovery code; the session's tokens are replaced. */
export async function giveCode(factorId: string, typed: string): Promise<void> {
  await dataOf(() => auth.mfa.challengeAndVerify({ factorId, code: typed }));
}

/** Renews the tokens, after a change elsewhere of what they contain. */
export async function renewSession(): Promise<void> {
  await dataOf(() => auth.refreshSession());
}

/** The signed-in account, from the auth service. */
export interface OwnUser {
  /** A new address whose code has not been entered. */
  newEmail: string | undefined;
  /** The verified second factor. */
  factor: { id: string; since: string; recoveryCodesLeft: number } | undefined;
}

export async function fetchUser(): Promise<OwnUser> {
  if (import.meta.env.MODE === "demo") return { newEmail: undefined, factor: undefined };
  const { user } = await dataOf(() => auth.getUser());
  const factor = user.factors?.find(({ status }) => status === "verified") as
    | (Factor & { recovery_codes_left: number })
    | undefined;
  return {
    newEmail: user.new_email,
    factor: factor && { id: factor.id, since: factor.updated_at, recoveryCodesLeft: factor.recovery_codes_left },
  };
}
