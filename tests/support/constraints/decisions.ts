import { changeRequest, request1 } from "./rows.ts";
import type { Refusal } from "./parts.ts";

const decision = (columns: string, values: string) =>
  `insert into payment_decisions (request_id, ${columns}) values (${request1}, ${values})`;
const event = (columns: string, values: string) =>
  `insert into webhook_events (payment_request_id, type, body, created_at, ${columns}) values (${request1}, '', '', now(), ${values})`;
const reason = (position: number, text: string) => `insert into rejection_reasons values (${position}, ${text})`;

/** What the tables about decisions, their webhook events, cancelled receipts and saved reasons refuse. */
export const refusedDecisions: Refusal[] = [
  [
    "a flag on a rejected request",
    `${changeRequest("status = 'rejected', rejection_reason = 'r', decided_at = now(), decided_by = 'a'")};
    ${changeRequest("flagged = true")}`,
    "payment_requests_flagged",
  ],
  ["a tier before an approval without its change", decision("tier_before", "'unpaid'"), "payment_decisions_tier"],
  [
    "an unknown tier before an approval",
    decision("tier_before, tier_change_before, tier_change", "'gold', 0, 1"),
    "payment_decisions_tier_before_check",
  ],
  [
    "a cancelled receipt without a reason",
    `insert into cancelled_receipts values ('2026-00001', ${request1}, now(), 'a', now(), 'a', '')`,
    "cancelled_receipts_reason_check",
  ],
  ["a twenty-first saved reason", reason(21, "'No.'"), "rejection_reasons_position_check"],
  ["a second row of the sweep", "insert into flag_sweep values (2, now())", "flag_sweep_id_check"],
  ["a second row of the course's version", "insert into course_version values (2)", "course_version_id_check"],
  [
    "a webhook event that is delivered and waits",
    event("next_attempt_at, delivered_at", "now(), now()"),
    "webhook_events_state",
  ],
  ["a webhook event that neither waits nor is done", event("attempts", "1"), "webhook_events_state"],
  ["a webhook event given up without a reason", event("given_up_at", "now()"), "webhook_events_reason"],
  ["an empty saved reason", reason(20, "''"), "rejection_reasons_reason_check"],
];
