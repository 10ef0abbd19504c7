import type { Evidence } from "#domain/evidence/evidence";
import type { PresentSettings } from "#domain/payment-methods/methods";
import type { Dependencies } from "../../../dependencies.ts";
import type { Connection } from "../../../platform/db/database.ts";
import type { ReviewedRow } from "../queries.ts";
import type { WithParts } from "../rest/queries.ts";

/** `db` is one connection, since the sources send their queries together: of `onOneConnection`, or of the transaction that writes a new request. */
export type EvidenceDependencies = Pick<Dependencies, "clock" | "chains"> & { db: Connection };

export type EvidenceRow = ReviewedRow & WithParts;

/**
 * Finds one kind of evidence for all requests of a page, by one query rather than one for each. Returns a function from a request to
 * its evidence, undefined where the kind does not apply.
 */
export type EvidenceSource = (
  deps: EvidenceDependencies,
  rows: readonly EvidenceRow[],
  settings: PresentSettings | Promise<PresentSettings>,
) => Promise<(row: EvidenceRow) => Evidence | undefined>;
