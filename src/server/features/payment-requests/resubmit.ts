import type { ResubmitPaymentRequest } from "#domain/api/payments/payment-inputs";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { normaliseReference } from "#domain/payment-methods/reference";
import type { Dependencies } from "../../dependencies.ts";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";
import { storeOnce, storeRequest, type Sender } from "./store.ts";
import { requireNotOwned, unusedScreenshot } from "./submit-checks.ts";

export interface Resubmission {
  /** The rejected request. */
  id: string;
  input: ResubmitPaymentRequest;
  /** Made by the client, the same at every retry (PAY-3). */
  idempotencyKey: string | undefined;
}

/** What the new request has of its own. */
interface Proof {
  uploadId: string | null;
  reference: string | null;
}

/**
 * Stores a pending request with the figures of a rejected one, whatever has changed since (PAY-10). Returns it, and returns the same
 * request for the same key (PAY-3). Throws `idempotency_key_missing`, `idempotency_key_reused`, `payment_request_not_found` also for
 * another student's request, `nothing_to_pay`, `payment_request_not_rejected`, `payment_request_resubmitted`, `payment_request_open`, `package_owned`,
 * `upload_not_found`, `upload_used`, `reference_invalid`, `not_signed_in` or `too_many_requests`.
 */
export async function resubmitPaymentRequest(
  deps: Dependencies,
  sender: Sender,
  { id, input, idempotencyKey }: Resubmission,
): Promise<PaymentRequest> {
  if (idempotencyKey === undefined) throw new ProductError("idempotency_key_missing");
  const { payer } = sender;
  const rejected = await queries.findById(deps.db, id);
  if (!rejected || rejected.user_id !== payer.id) throw new ProductError("payment_request_not_found");
  const proof = proofOf(rejected, input);
  return storeOnce(
    deps,
    payer,
    () => findSameResubmission(deps.db, rejected, proof, { payerId: payer.id, idempotencyKey }),
    (tx) => writeResubmission(deps, tx, sender, { rejected, proof, idempotencyKey }),
  );
}

/** Returns the typed proof; what was left out is that of the rejected request. Throws `nothing_to_pay` or `reference_invalid`. */
function proofOf(
  { crypto_type, screenshot_object_id, ...rejected }: queries.PaymentRequestRow,
  { upload_id, reference }: ResubmitPaymentRequest,
): Proof {
  if (crypto_type === null) {
    if (upload_id || reference) throw new ProductError("nothing_to_pay");
    return { uploadId: null, reference: null };
  }
  return {
    uploadId: upload_id ?? screenshot_object_id,
    reference: reference === undefined ? rejected.reference : normaliseReference(crypto_type, reference),
  };
}

/** Returns the request that this resubmission made before; throws `idempotency_key_reused` when its key made a different one. */
async function findSameResubmission(
  connection: Connection,
  rejected: queries.PaymentRequestRow,
  { uploadId, reference }: Proof,
  key: { payerId: string; idempotencyKey: string },
): Promise<queries.PaymentRequestRow | undefined> {
  const row = await queries.findByIdempotencyKey(connection, key.payerId, key.idempotencyKey);
  if (!row) return undefined;
  const isSame = row.resubmits === rejected.id && row.screenshot_object_id === uploadId && row.reference === reference;
  if (!isSame) throw new ProductError("idempotency_key_reused");
  return row;
}

interface CheckedResubmission {
  rejected: queries.PaymentRequestRow;
  proof: Proof;
  idempotencyKey: string;
}

async function writeResubmission(
  deps: Dependencies,
  tx: Transaction,
  sender: Sender,
  { rejected, proof, idempotencyKey }: CheckedResubmission,
): Promise<PaymentRequest> {
  const { payer } = sender;
  const payer_email = await requireNotOwned(tx, payer.id, rejected.package_type);
  const { id, ...copied } = await lockResubmittable(tx, rejected.id);
  const { uploadId } = proof;
  // It is null only where the rejected request has none either.
  const isKept = uploadId === copied.screenshot_object_id;
  const screenshot = isKept ? undefined : await unusedScreenshot(tx, payer, uploadId!);
  return storeRequest(deps, tx, sender, {
    ...copied,
    payer_email,
    quote_id: null,
    ...(screenshot && { screenshot_url: screenshot.name, screenshot_object_id: screenshot.id }),
    reference: proof.reference,
    idempotency_key: idempotencyKey,
    resubmits: id,
    status: "pending",
    rejection_reason: null,
    amount_received: null,
    rest_destinations: [],
    note: null,
    decided_at: null,
    decided_by: null,
    created_at: deps.clock.now(),
  });
}

/**
 * Returns a rejected request, locked until the transaction ends, so that it is submitted again once. Throws
 * `payment_request_not_found`, `payment_request_not_rejected` or `payment_request_resubmitted`.
 */
async function lockResubmittable(tx: Transaction, id: string): Promise<queries.PaymentRequestRow> {
  const request = await queries.lockById(tx, id);
  // Stryker disable next-line ConditionFalse,StringLiteral: no payment request is ever deleted (KEEP-1).
  if (!request) throw new ProductError("payment_request_not_found");
  if (request.status !== "rejected") throw new ProductError("payment_request_not_rejected");
  // Stryker disable next-line ConditionFalse: the unique index refuses it too.
  if (await queries.existsResubmission(tx, id)) throw new ProductError("payment_request_resubmitted");
  return request;
}
