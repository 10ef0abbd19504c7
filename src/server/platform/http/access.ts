import type { Viewer } from "#domain/video-access";
import { ProductError } from "#domain/errors/messages";

/** The account that a request comes from, as it is in the database now. */
export interface Principal extends Viewer {
  id: string;
  sessionId: string;
  email: string;
  full_name: string;
  email_verified: boolean;
}

/** Returns the principal of an `Authorization` header. Throws `not_signed_in`. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** Throws `email_not_verified` unless the address is verified (ACCESS-5). */
export function requireVerified(principal: Principal): void {
  if (!principal.email_verified) throw new ProductError("email_not_verified");
}

/** Throws `not_allowed` unless the principal is the one admin (ACCESS-2). */
export function requireAdmin(principal: Principal): void {
  requireVerified(principal);
  if (principal.role !== "admin") throw new ProductError("not_allowed");
}

/** Throws `not_allowed` for the admin, who reviews payments and makes none (ACCESS-4). */
export function requireStudent(principal: Principal): void {
  requireVerified(principal);
  if (principal.role !== "student") throw new ProductError("not_allowed");
}
