import type { PayRest } from "#domain/api/payments/payment-inputs";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import type { QuotedMethod } from "#domain/payment-methods/methods";
import { normaliseReference } from "#domain/payment-methods/reference";
import { canDecide } from "#domain/payments/payment-request";
import { restToPay, transferOf, type AskedRest } from "#domain/payments/transfer";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit } from "../../../platform/audit.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { holdTier } from "../../users/service.ts";
import { wakeLookup } from "../chain/queries.ts";
import { collectEvidence } from "../evidence/collect.ts";
import { presentSettings } from "../present-settings.ts";
import * as queries from "../queries.ts";
import { auditedPayment } from "../views.ts";
import { insertUsedDuplicates } from "../screenshots/duplicates.ts";
import { insertSlip } from "../slips/queries.ts";
import { storeOnce, submittedView, type Sender } from "../store.ts";
import { unusedScreenshot } from "../submit-checks.ts";
import { tellDestination } from "./destination.ts";
import { restKey, restPaidMail } from "./mail.ts";
import { findPartByKey, findParts, insertPart, withParts } from "./queries.ts";

export interface RestPayment {
  /** The pending request. */
  id: string;
  input: PayRest;
  /** Made by the client, the same at every retry (PAY-3). */
  idempotencyKey: string | undefined;
}

/** A screenshot, its reference in the normal form, and the destinations that the page displayed and that the student says they used instead. */
interface Proof {
  uploadId: string;
  reference: string | null;
  displayed: string | undefined;
  paidFormer: string | undefined;
  idempotencyKey: string;
}

/**
 * Adds the proof of a further part to a request whose rest was asked for; it then waits for the admin again (PART-4). Returns the
 * request, also to a retry by the same key (PAY-3). Throws `idempotency_key_missing`, `idempotency_key_reused`,
 * `payment_request_not_found` also for another student's request, `payment_request_decided`, `rest_not_asked`, `upload_not_found`,
 * `upload_used`, `reference_invalid`, `reference_repeated`, `rest_destination_changed` where another destination was displayed than the present
 * one or the student was never told the former one, `not_signed_in` or `too_many_requests`.
 */
export async function payRest(
  deps: Dependencies,
  sender: Sender,
  { id, input, idempotencyKey }: RestPayment,
): Promise<PaymentRequest> {
  if (idempotencyKey === undefined) throw new ProductError("idempotency_key_missing");
  const { payer } = sender;
  const request = await queries.findById(deps.db, id);
  if (!request || request.user_id !== payer.id) throw new ProductError("payment_request_not_found");
  if (request.crypto_type === null) throw new ProductError("rest_not_asked");
  const reference = normaliseReference(request.crypto_type, input.reference);
  const { upload_id: uploadId, wallet_address: displayed } = input;
  const proof: Proof = { uploadId, reference, displayed, paidFormer: input.paid_wallet_address || undefined, idempotencyKey };
  return storeOnce(
    deps,
    payer,
    () => findSameRest(deps.db, id, proof),
    (tx) => writeRest(deps, tx, sender, id, proof),
  );
}

/** Returns the request when this proof was added to it before; throws `idempotency_key_reused` when its key added a different one. */
async function findSameRest(connection: Connection, id: string, proof: Proof): Promise<queries.PaymentRequestRow | undefined> {
  const part = await findPartByKey(connection, id, proof.idempotencyKey);
  if (!part) return undefined;
  const isSame =
    part.screenshot_object_id === proof.uploadId &&
    part.reference === proof.reference &&
    part.wallet_address === (proof.paidFormer ?? (proof.displayed || part.wallet_address));
  if (!isSame) throw new ProductError("idempotency_key_reused");
  return queries.findById(connection, id);
}

async function writeRest(
  deps: Dependencies,
  tx: Transaction,
  sender: Sender,
  id: string,
  proof: Proof,
): Promise<PaymentRequest> {
  const { uploadId, reference, idempotencyKey } = proof;
  const { payer } = sender;
  // The payer first, as in `lockPending`.
  const held = await holdTier(tx, payer.id);
  if (held === undefined) throw new ProductError("not_signed_in");
  const request = await lockAsked(deps, tx, id);
  const screenshot = await unusedScreenshot(tx, payer, uploadId);
  await requireNewReference(tx, request, reference);
  const submitted_at = deps.clock.now();
  const rest = restToPay(request.transfer, request, await presentSettings({ ...deps, db: tx }, [request]));
  const part = await insertPart(tx, {
    payment_request_id: id,
    amount_asked: rest.amount_crypto,
    // Without a destination the student was told to wait; what they sent all the same went to the one they had.
    wallet_address: paidDestination(rest, request, proof) || request.transfer.wallet_address,
    screenshot_url: screenshot.name,
    screenshot_object_id: screenshot.id,
    reference,
    idempotency_key: idempotencyKey,
    submitted_at,
  });
  await insertUsedDuplicates(tx, screenshot.id);
  if (request.crypto_type === "thai_bank") await insertSlip(tx, screenshot.id, deps.clock.steady());
  await wakeLookup(tx, id, deps.clock.steady());
  const row = await queries.updateRest(tx, id, { rest_asked_at: null });
  const subject = { type: "payment-request", id };
  const details = { ...auditedPayment(row), after: { part: part.id, amount_asked: part.amount_asked } };
  const actor = { id: payer.id, email: held.email, ip: sender.ip };
  await recordAudit(tx, actor, { at: submitted_at, action: "payment-request.pay-rest", subject, details });
  await deps.outbox.cancel(tx, restKey(request), "Not sent, because the rest was sent.");
  const { config } = deps;
  const mail = { site: config.site, origin: sender.origin };
  const [reviewed] = await withParts(tx, [{ ...row, payer_tier: held.tier }]);
  const evidenceOf = await collectEvidence({ ...deps, db: tx }, [reviewed!]);
  await deps.outbox.enqueue(tx, restPaidMail(mail, config.admin.email, row, part, evidenceOf(reviewed!)));
  return submittedView({ ...deps, db: tx }, row);
}

/**
 * Returns a request whose rest is asked for, locked until the transaction ends, so that a decision at the same time comes before or
 * after. Throws `payment_request_not_found`, `payment_request_decided` or `rest_not_asked`.
 */
async function lockAsked(deps: Dependencies, tx: Transaction, id: string) {
  const request = await queries.lockById(tx, id);
  // Stryker disable next-line LogicalOperator: as below.
  const transfer = request && transferOf(request);
  // Stryker disable next-line ConditionFalse,LogicalOperator,StringLiteral: it was found with its method before, and neither goes.
  if (!request || !transfer) throw new ProductError("payment_request_not_found");
  if (!canDecide(request.status)) throw new ProductError("payment_request_decided");
  // Stryker disable next-line RightOperand: a rest is asked for after an amount only.
  if (request.rest_asked_at === null || request.amount_received === null) throw new ProductError("rest_not_asked");
  const { rest_destinations: told } = await tellDestination(deps, tx, request);
  return { ...request, transfer, received: request.amount_received, rest_destinations: told, told };
}

/** Returns where the student has sent the rest, of what they were told. Throws `rest_destination_changed`. */
function paidDestination(
  { wallet_address: present }: QuotedMethod,
  { told }: AskedRest,
  { displayed, paidFormer }: Proof,
): string {
  const isOutdated = displayed !== undefined && displayed !== present;
  const isUnknown = paidFormer !== undefined && !told.includes(paidFormer);
  if (isOutdated || isUnknown) throw new ProductError("rest_destination_changed");
  return paidFormer ?? present;
}

/** Throws `reference_repeated` for the reference of an earlier part: the rest is a transaction of its own. */
async function requireNewReference(
  tx: Transaction,
  request: { id: string; reference: string | null },
  reference: string | null,
): Promise<void> {
  if (reference === null) return;
  const earlier = (await findParts(tx, [request.id]))(request.id);
  const isRepeated = [request, ...earlier].some((proof) => proof.reference === reference);
  if (isRepeated) throw new ProductError("reference_repeated");
}
