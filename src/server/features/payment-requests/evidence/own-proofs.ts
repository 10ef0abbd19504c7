import { sql } from "drizzle-orm";
import { arrayOf } from "../../../platform/db/prepared.ts";
import type { WithParts } from "../rest/queries.ts";

/** A screenshot with the reference that was typed for it: of a request, or of a further part. */
export interface OwnProof {
  request_id: string;
  object_id: string | null;
  reference: string | null;
}

/** Returns the proofs of a request in the order in which they were sent. */
export function ownProofs({ id, screenshot_object_id, reference, parts }: WithParts): OwnProof[] {
  const further = parts.map((part) => ({ request_id: id, object_id: part.screenshot_object_id, reference: part.reference }));
  return [{ request_id: id, object_id: screenshot_object_id, reference }, ...further];
}

const requestIds = arrayOf("requestIds", "uuid");

/** Tables of given proofs, as `own`. The proofs are passed as arrays, since their requests have been read before. */
export const ownReferences = sql`unnest(${requestIds}, ${arrayOf("references", "text")}) as own (request_id, reference)`;
export const ownPictures = sql`unnest(${requestIds}, ${arrayOf("objectIds", "uuid")}) as own (request_id, object_id)`;

/** The columns of both. */
export const own = {
  request_id: sql<string>`own.request_id`,
  object_id: sql<string>`own.object_id`,
  reference: sql<string>`own.reference`,
};

/** Returns the values of `ownReferences`; undefined when no reference was typed. */
export function referencesOf(proofs: readonly OwnProof[]) {
  // Stryker disable next-line MethodExpression,ConditionTrue: saves rows, since none equals null.
  const typed = proofs.filter(({ reference }) => reference !== null);
  // Stryker disable next-line ConditionFalse: saves a query that finds nothing.
  if (typed.length === 0) return undefined;
  return { requestIds: typed.map(({ request_id }) => request_id), references: typed.map(({ reference }) => reference) };
}

/** Returns the values of `ownPictures`; undefined when there is no screenshot. */
export function picturesOf(proofs: readonly OwnProof[]) {
  // Stryker disable next-line MethodExpression,ConditionTrue: saves rows, since none equals null.
  const sent = proofs.filter(({ object_id }) => object_id !== null);
  // Stryker disable next-line ConditionFalse: saves a query that finds nothing.
  if (sent.length === 0) return undefined;
  return { requestIds: sent.map(({ request_id }) => request_id), objectIds: sent.map(({ object_id }) => object_id) };
}
