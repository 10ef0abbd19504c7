import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type AuditEntry } from "../../platform/audit.ts";
import { violatedConstraint, type Transaction } from "../../platform/db/database.ts";
import { together } from "../../platform/db/together.ts";
import { onOneConnection, transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { enqueueEvent } from "../webhooks/service.ts";
import { isFlagged } from "#domain/evidence/evidence";
import { updateFlag } from "./flags/queries.ts";
import { collectEvidence } from "./evidence/collect.ts";
import { newRequestMail, requestReceivedMail } from "./mail.ts";
import { presentSettings } from "./present-settings.ts";
import * as queries from "./queries.ts";
import { withParts } from "./rest/queries.ts";
import { insertUsedDuplicates } from "./screenshots/duplicates.ts";
import { insertSlip } from "./slips/queries.ts";
import { auditedPayment, paymentRequestView } from "./views.ts";
import { requestEvent } from "./webhook-event.ts";

/** Counts submits and resubmissions together. */
const submitLimit: Limit = { name: "submit", points: 20, seconds: 600 };

/** The error for each unique index and foreign key of `payment_requests` and their parts. */
const refusals: Record<string, ErrorCode> = {
  payment_requests_one_open: "payment_request_open",
  payment_requests_idempotency: "idempotency_key_reused",
  payment_requests_quote_id_key: "quote_used",
  payment_requests_resubmits_key: "payment_request_resubmitted",
  payment_requests_screenshot_object_id_key: "upload_used",
  // Deleted after the checks: the account, the unused upload or the quote.
  payment_requests_user_id_fkey: "not_signed_in",
  payment_requests_screenshot_object_id_fkey: "upload_not_found",
  payment_requests_quote_id_fkey: "quote_not_found",
  payment_request_parts_idempotency: "idempotency_key_reused",
  payment_request_parts_screenshot: "upload_used",
  payment_request_parts_screenshot_object_id_fkey: "upload_not_found",
};

/**
 * Stores a request by `write` and returns it. Returns what `findSame` finds instead when the same submit has stored it before or
 * at the same time (PAY-3). Throws the error of the rule that `write` broke, or `too_many_requests`.
 */
export async function storeOnce(
  deps: Dependencies,
  payer: Principal,
  findSame: () => Promise<queries.PaymentRequestRow | undefined>,
  write: (tx: Transaction) => Promise<queries.PaymentRequestRow>,
): Promise<PaymentRequest> {
  const retried = await findSame();
  if (retried) return submittedView(deps, retried);
  await deps.limits.consume(submitLimit, payer.id);
  try {
    return await submittedView(deps, await transaction(deps.db, write));
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    // Of two identical submits at once, the second to arrive is a retry.
    const winner = await findSame();
    if (winner) return submittedView(deps, winner);
    throw refusal;
  }
}

function refusalOf(error: unknown): ProductError | undefined {
  if (error instanceof ProductError) return error;
  const code = refusals[violatedConstraint(error) ?? ""];
  return code && new ProductError(code);
}

function submittedView(deps: Dependencies, row: queries.PaymentRequestRow): Promise<PaymentRequest> {
  return onOneConnection(deps.db, async (db) => {
    const [[request], settings] = await together(withParts(db, [row]), presentSettings({ ...deps, db }, [row]));
    return paymentRequestView(request!, settings);
  });
}

/** Who submits, and from where. */
export interface Sender {
  payer: Principal;
  ip: string;
  /** Where links in mails lead to; undefined when the request's own origin is not trusted. */
  origin: string | undefined;
}

type GivenColumns = Omit<Parameters<typeof queries.insertRequest>[1], "user_id" | "payer_email" | "payer_full_name">;

/** Stores a pending request with its audit entry, its webhook event and the mails to the student and the admin. Returns its row. */
export async function storeRequest(
  deps: Dependencies,
  tx: Transaction,
  { payer, ip, origin }: Sender,
  columns: GivenColumns,
): Promise<queries.PaymentRequestRow> {
  const { id, email, full_name } = payer;
  const row = await queries.insertRequest(tx, { ...columns, user_id: id, payer_email: email, payer_full_name: full_name });
  await together(
    row.screenshot_object_id === null ? Promise.resolve() : insertUsedDuplicates(tx, row.screenshot_object_id),
    row.crypto_type === "thai_bank" ? insertSlip(tx, row.screenshot_object_id!, deps.clock.steady()) : Promise.resolve(),
    recordAudit(tx, { id, email, ip }, submitAudit(row)),
    enqueueEvent(deps, tx, requestEvent(row, origin)),
  );
  await enqueueMails(deps, tx, origin, row);
  return row;
}

function submitAudit(row: queries.PaymentRequestRow): AuditEntry {
  const { id, created_at: at, resubmits } = row;
  const subject = { type: "payment-request", id };
  const details = { ...auditedPayment(row), after: { status: row.status } };
  if (resubmits === null) return { at, action: "payment-request.submit", subject, details };
  return { at, action: "payment-request.resubmit", subject, details: { ...details, resubmits } };
}

/** Writes both mails, and the flag that the evidence of the one to the admin comes to. */
async function enqueueMails(
  deps: Dependencies,
  tx: Transaction,
  origin: string | undefined,
  row: queries.PaymentRequestRow,
): Promise<void> {
  const { config } = deps;
  const site = { site: config.site, origin };
  // Whoever has a better tier cannot submit (PAY-9), so a new request is no downgrade.
  const reviewed = { ...row, payer_tier: null, parts: [] };
  const evidenceOf = await collectEvidence({ ...deps, db: tx }, [reviewed]);
  const evidence = evidenceOf(reviewed);
  if (evidence.some(isFlagged)) await updateFlag(tx, row.id, true);
  await deps.outbox.enqueueAll(tx, [requestReceivedMail(site, row), newRequestMail(site, config.admin.email, row, evidence)]);
}
