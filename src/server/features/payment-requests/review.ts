import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { together } from "../../platform/db/together.ts";
import { onOneConnection } from "../../platform/db/transaction.ts";
import { collectEvidence } from "./evidence/collect.ts";
import type { EvidenceDependencies } from "./evidence/source.ts";
import { presentSettings } from "./present-settings.ts";
import type { ReviewedRow } from "./queries.ts";
import { withParts } from "./rest/queries.ts";
import { reviewedPaymentRequestView } from "./views.ts";

/** Returns requests as the admin sees them, each with its evidence. */
export async function reviewedViews(
  deps: EvidenceDependencies,
  rows: readonly ReviewedRow[],
): Promise<ReviewedPaymentRequest[]> {
  return onOneConnection(deps.db, async (db) => {
    const [requests, settings] = await together(withParts(db, rows), presentSettings({ ...deps, db }, rows));
    const evidenceOf = await collectEvidence({ ...deps, db }, requests, settings);
    return requests.map((row) => reviewedPaymentRequestView(row, evidenceOf(row), settings));
  });
}
