import type { SubscriptionStatus } from "#domain/packages";
import type { Viewer } from "#domain/video-access";
import { ProductError } from "#domain/errors/messages";
import { isRecent } from "../clock.ts";

/** The account of a request, as currently stored. */
export interface Principal extends Viewer {
  id: string;
  sessionId: string;
  email: string;
  full_name: string;
  email_verified: boolean;
  /** Whether the account has a verified second factor. */
  hasSecondFactor: boolean;
  /** Whether session and token have passed it. */
  passedSecondFactor: boolean;
  /** When the session was last proven (STEPUP-1), and when by a step-up rather than by signing in. */
  provenAt: Date;
  steppedUpAt: Date | null;
  /** When the session began, and whether by a recovery link that has not set a password yet. */
  startedAt: Date;
  byRecovery: boolean;
}

/**
 * Returns the principal of an `Authorization` header. Throws `not_signed_in`, and `second_factor_needed` for a session that has yet to
 * pass the second factor (FACTOR-2) unless the route is open to it.
 */
export type Authenticate = (authorization: string | undefined, route?: { opensBeforeSecondFactor: true }) => Promise<Principal>;

/** Seconds for which a session counts as proven (STEPUP-1). */
export const provenSeconds = 10 * 60;

/** Throws `second_factor_needed` for a session that has yet to pass the second factor (FACTOR-2). */
export function requireSecondFactor(principal: Principal): void {
  if (principal.hasSecondFactor && !principal.passedSecondFactor) throw new ProductError("second_factor_needed");
}

/** Returns whether the password or a code was given in the last ten minutes, at sign-in or by a step-up (STEPUP-1). */
export function isProven({ provenAt }: Principal, now: Date): boolean {
  return isRecent(provenAt, provenSeconds, now);
}

/** Returns whether there was a step-up in the last ten minutes. */
export function isSteppedUp({ steppedUpAt }: Principal, now: Date): boolean {
  return steppedUpAt !== null && isRecent(steppedUpAt, provenSeconds, now);
}

/** Throws `step_up_needed` unless the session is proven (STEPUP-2). */
export function requireProven(principal: Principal, now: Date): void {
  if (!isProven(principal, now)) throw new ProductError("step_up_needed");
}

/** Throws `email_not_verified` unless the address is verified (ACCESS-5). */
export function requireVerified(principal: Principal): void {
  if (!principal.email_verified) throw new ProductError("email_not_verified", { accountId: principal.id });
}

/** Throws `email_not_verified`, or `not_allowed` unless the principal is the one admin (ACCESS-2). */
export function requireAdmin(principal: Principal): void {
  requireVerified(principal);
  if (principal.role !== "admin") throw new ProductError("not_allowed", { accountId: principal.id });
}

/**
 * Returns the admin as a student of a tier, for a preview of what such students get (VIDEOS-5); without a tier the principal as it is. Throws
 * as `requireAdmin` does for a student who names one.
 */
export function seenAs(principal: Principal, tier: SubscriptionStatus | undefined): Principal {
  if (tier === undefined) return principal;
  requireAdmin(principal);
  return { ...principal, role: "student", subscription_status: tier };
}

/** Throws `email_not_verified`, or `not_allowed` for the admin, who reviews payments and makes none (ACCESS-4). */
export function requireStudent(principal: Principal): void {
  requireVerified(principal);
  if (principal.role !== "student") throw new ProductError("not_allowed", { accountId: principal.id });
}
