import { downgradeEvidence } from "#domain/evidence/downgrade";
import { isDowngrade } from "#domain/packages";
import { canDecide } from "#domain/payments/payment-request";
import type { EvidenceSource } from "./source.ts";

/** That approving a pending request would lower the payer's present tier (PACKAGE-3). */
export const downgradeSource: EvidenceSource = ({ clock }) =>
  Promise.resolve(({ status, payer_tier: from, package_type: to }) => {
    // Stryker disable next-line ConditionFalse,LeftOperand,RightOperand,StringLiteral: only for the types, since no package is below these.
    if (from === null || from === "unpaid") return undefined;
    if (!canDecide(status) || !isDowngrade(from, to)) return undefined;
    return downgradeEvidence(from, to, clock.now().toISOString());
  });
