import { minuteText } from "#domain/texts/minute-text";
import { ProductError } from "#domain/errors/messages";
import { violatedConstraint, type Connection } from "../../../platform/db/database.ts";
import { findById } from "../queries.ts";
import { withParts } from "../rest/queries.ts";
import { ownProofs } from "./own-proofs.ts";
import { findAllDisputes } from "./queries.ts";

/**
 * Throws `reference_approved`, with the request that was approved, in place of the error by which the database refuses to approve a
 * second request with one reference (EVIDENCE-2). Throws any other error as it is.
 */
export async function throwRefusal(connection: Connection, id: string, error: unknown): Promise<never> {
  if (violatedConstraint(error) !== "payment_requests_approved_reference") throw error;
  await requireNoneApproved(connection, id);
  throw new ProductError("reference_approved");
}

/** Throws `reference_approved` when another request with a reference of this one was approved, those of further parts included. */
export async function requireNoneApproved(connection: Connection, id: string): Promise<void> {
  const request = await findById(connection, id);
  if (!request) return;
  const [withProofs] = await withParts(connection, [request]);
  const disputes = await findAllDisputes(connection, ownProofs(withProofs!), 1);
  // Stryker disable next-line ArrayDeclaration: no text has the status approved.
  const [approved] = disputes.get(id) ?? [];
  if (approved?.status !== "approved") return;
  const submitted = minuteText(approved.created_at.toISOString());
  throw new ProductError("reference_approved", {
    text: `The request of ${approved.email} (submitted ${submitted}) with this transaction reference was already approved.`,
  });
}
