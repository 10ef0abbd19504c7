import type { AskRest } from "#domain/api/payments/payment-inputs";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { rounded } from "#domain/money";
import { includesPackage } from "#domain/packages";
import { paymentMethod } from "#domain/payment-methods/methods";
import { amountOwed, leavesRest, transferOf } from "#domain/payments/transfer";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit } from "../../../platform/audit.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { ActingAdmin } from "../../../platform/http/origin.ts";
import { lockPending, reviewedView } from "../pending.ts";
import * as queries from "../queries.ts";
import { auditedPayment } from "../views.ts";
import { tellDestination } from "./destination.ts";
import { restAskedMail } from "./mail.ts";

/**
 * Asks the student for the rest of a pending payment, which keeps its place (PART-3). `amount_received` is what has arrived so far, a
 * decimal in the payment's currency; the note is the admin's own (PART-2). Returns the request. Throws `payment_request_not_found`,
 * `payment_request_decided`, `user_not_found` when the account is deleted, `package_owned` where the student has the package by now, `rest_asked`
 * until they have sent a further part, and `rest_amount_invalid` also where there was nothing to pay.
 */
export async function askForRest(
  deps: Dependencies,
  decider: ActingAdmin,
  id: string,
  input: AskRest,
): Promise<ReviewedPaymentRequest> {
  const row = await transaction(deps.db, (tx) => writeAsking(deps, tx, decider, id, input));
  return reviewedView(deps, row);
}

async function writeAsking(
  deps: Dependencies,
  tx: Transaction,
  { actor, origin }: ActingAdmin,
  id: string,
  { amount_received: typed, note }: AskRest,
): Promise<queries.ReviewedRow> {
  const { request, payer, email } = await lockPending(tx, id);
  if (payer === undefined) throw new ProductError("user_not_found");
  if (includesPackage(payer.tier, request.package_type)) {
    throw new ProductError("package_owned", {
      text: "This student has everything in this package by now, so no rest is owed.",
    });
  }
  if (request.rest_asked_at !== null) throw new ProductError("rest_asked");
  const transfer = transferOf(request);
  if (!transfer || !leavesRest(transfer, typed)) throw new ProductError("rest_amount_invalid");
  const received = rounded(typed, paymentMethod(transfer.crypto_type).places);
  const at = deps.clock.now();
  const columns = { amount_received: received, rest_asked_at: at, note: note || request.note };
  const row = await tellDestination(deps, tx, await queries.updateRest(tx, id, columns));
  const details = {
    ...auditedPayment(row),
    user_id: row.user_id,
    amount_owed: amountOwed(transfer, received),
    before: { amount_received: request.amount_received, note: request.note },
    after: { amount_received: received, note: row.note },
  };
  await recordAudit(tx, actor, { at, action: "payment-request.ask-rest", subject: { type: "payment-request", id }, details });
  await deps.outbox.enqueue(tx, restAskedMail({ site: deps.config.site, origin }, email, row));
  return { ...row, payer_tier: payer.tier };
}
