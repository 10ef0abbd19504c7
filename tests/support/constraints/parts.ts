import { changeRequest, object1, object2, part } from "./rows.ts";

/** What must not be, the statement that tries, and the constraint that refuses. */
export type Refusal = [what: string, statement: string, constraint: string];

/** Amounts received, and parts of a payment, that the database refuses. */
export const refusedParts: Refusal[] = [
  [
    "all of a payment as what has arrived of it",
    changeRequest(
      "status = 'rejected', rejection_reason = 'r', decided_at = now(), decided_by = 'a', amount_received = amount_crypto",
    ),
    "payment_requests_amount_received",
  ],
  [
    "an approval of less than nothing",
    changeRequest(
      "status = 'approved', decided_at = now(), decided_by = 'a', receipt_number = '2026-00001', amount_received = -1",
    ),
    "payment_requests_amount_received",
  ],
  ["nothing as a part that has arrived", changeRequest("amount_received = 0"), "payment_requests_amount_received"],
  [
    "all of a pending payment as a part of it",
    changeRequest("amount_received = amount_crypto"),
    "payment_requests_amount_received",
  ],
  ["a rest of an unknown amount", changeRequest("rest_asked_at = now()"), "payment_requests_rest_asked"],
  [
    "a rest of a rejected payment",
    changeRequest(
      "status = 'rejected', rejection_reason = 'r', decided_at = now(), decided_by = 'a', amount_received = 0, rest_asked_at = now()",
    ),
    "payment_requests_rest_asked",
  ],
  ["a rest of nothing", part({ amount_asked: "0" }), "payment_request_parts_amount_asked_check"],
  ["a rest that is paid nowhere", part({ wallet_address: "''" }), "payment_request_parts_wallet_address_check"],
  ["two parts of one screenshot", `${part()}; ${part({ idempotency_key: "'2'" })}`, "payment_request_parts_screenshot"],
  [
    "two parts of one request by one key",
    `${part()}; ${part({ screenshot_object_id: object1 })}`,
    "payment_request_parts_idempotency",
  ],
  [
    "deleting the screenshot of a part",
    `${part()}; delete from stored_objects where id = ${object2}`,
    "payment_request_parts_screenshot_object_id_fkey",
  ],
];
