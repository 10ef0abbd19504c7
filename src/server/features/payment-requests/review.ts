import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
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
  const settings = await presentSettings(deps, rows);
  const evidenceOf = await collectEvidence(deps, rows);
  return (await withParts(deps.db, rows)).map((row) => reviewedPaymentRequestView(row, evidenceOf(row), settings));
}
