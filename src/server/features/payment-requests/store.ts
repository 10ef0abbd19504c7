import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type AuditEntry } from "../../platform/audit.ts";
import { violatedConstraint, type Connection, type Transaction } from "../../platform/db/database.ts";
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
  // Stryker disable next-line StringLiteral: what has the key is found then, and refuses in the same words.
  payment_requests_idempotency: "idempotency_key_reused",
  payment_requests_quote_id_key: "quote_used",
  payment_requests_resubmits_key: "payment_request_resubmitted",
  payment_requests_screenshot_object_id_key: "upload_used",
  // Deleted after the checks: the account, the unused upload or the quote.
  payment_requests_user_id_fkey: "not_signed_in",
  payment_requests_screenshot_object_id_fkey: "upload_not_found",
  payment_requests_quote_id_fkey: "quote_not_found",
  // Stryker disable next-line StringLiteral: as above.
  payment_request_parts_idempotency: "idempotency_key_reused",
  payment_request_parts_screenshot: "upload_used",
  payment_request_parts_screenshot_object_id_fkey: "upload_not_found",
};

/**
 * Stores a request by `write` and returns its view. Returns what `findSame` finds instead when the same submit has stored it before or
 * at the same time (PAY-3). Throws the error of the rule that `write` broke, or `too_many_requests`.
 */
export async function storeOnce(
  deps: Dependencies,
  payer: Principal,
  findSame: () => Promise<queries.PaymentRequestRow | undefined>,
  write: (tx: Transaction) => Promise<PaymentRequest>,
): Promise<PaymentRequest> {
  const retried = await findSame();
  if (retried) return submittedView(deps, retried);
  await deps.limits.consume(submitLimit, payer.id);
  try {
    return await transaction(deps.db, write);
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
  // Stryker disable next-line StringLiteral: no constraint has an empty name, nor any other words.
  const code = refusals[violatedConstraint(error) ?? ""];
  return code && new ProductError(code);
}

/** Returns a request as its payer sees it. */
export function submittedView(
  deps: Pick<Dependencies, "clock"> & { db: Connection },
  row: queries.PaymentRequestRow,
): Promise<PaymentRequest> {
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

type GivenColumns = Omit<Parameters<typeof queries.insertRequest>[1], "user_id" | "payer_full_name">;

/**
 * Stores a pending request with its audit entry, its webhook event, the mails to the student and the admin, and the flag that the evidence of
 * the second comes to. Returns its view.
 */
export async function storeRequest(
  deps: Dependencies,
  tx: Transaction,
  { payer, ip, origin }: Sender,
  columns: GivenColumns,
): Promise<PaymentRequest> {
  const { id, full_name } = payer;
  const { payer_email: email, screenshot_object_id: screenshotId = null } = columns;
  const [row] = await together(
    queries.insertRequest(tx, { ...columns, user_id: id, payer_full_name: full_name }),
    screenshotId === null ? Promise.resolve() : insertUsedDuplicates(tx, screenshotId),
    columns.crypto_type === "thai_bank" ? insertSlip(tx, screenshotId!, deps.clock.steady()) : Promise.resolve(),
  );
  // Whoever has a better tier cannot submit (PAY-9), so a new request is no downgrade.
  const request = { payer_tier: null, parts: [], ...row };
  const reading = presentSettings({ ...deps, db: tx }, [row]);
  const [settings, evidenceOf] = await together(
    reading,
    collectEvidence({ ...deps, db: tx }, [request], reading),
    recordAudit(tx, { id, email, ip }, submitAudit(row)),
    enqueueEvent(deps, tx, requestEvent(row, email, origin)),
  );
  const evidence = evidenceOf(request);
  const site = { site: deps.config.site, origin };
  await together(
    deps.outbox.enqueueAll(tx, [requestReceivedMail(site, row), newRequestMail(site, deps.config.admin.email, row, evidence)]),
    evidence.some(isFlagged) ? updateFlag(tx, row.id, true) : Promise.resolve(),
  );
  return paymentRequestView(request, settings);
}

function submitAudit(row: queries.PaymentRequestRow): AuditEntry {
  const { id, created_at: at, resubmits } = row;
  const subject = { type: "payment-request", id };
  const details = { ...auditedPayment(row), after: { status: row.status } };
  if (resubmits === null) return { at, action: "payment-request.submit", subject, details };
  return { at, action: "payment-request.resubmit", subject, details: { ...details, resubmits } };
}
