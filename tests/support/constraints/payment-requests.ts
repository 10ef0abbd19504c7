import { approve, approved, changeRequest, film, lek, nok, object1, object3, quote1, request, request1 } from "./rows.ts";
import type { Refusal } from "./parts.ts";

/** A lookup of the request with a quote. */
const lookup = (columns: string, values: string) =>
  `insert into chain_lookups (request_id, coin, destination, since, ${columns})
  select id, 'bitcoin', 'bc1q', now(), ${values} from payment_requests where quote_id is not null`;
const changeService = (change: string) => `update chain_services set ${change}`;
const changeScan = (change: string) => `update ethereum_scan set ${change}`;
const slip = (columns: string, values: string) =>
  `insert into transfer_slips (object_id, ${columns}) values (${object1}, ${values})`;

/** What the tables of transfer slips refuse. */
export const slipRefusals: Refusal[] = [
  ["a slip of an unknown outcome", slip("outcome, read_at", "'lost', now()"), "transfer_slips_outcome_check"],
  ["a slip that was never read and never will be", slip("outcome", "null"), "transfer_slips_done"],
  ["a slip that was read and will be again", slip("outcome, next_attempt_at", "'no_code', now()"), "transfer_slips_done"],
  ["a slip that was read without its code", slip("outcome, read_at", "'read', now()"), "transfer_slips_code"],
  [
    "the code of a slip without one",
    slip("outcome, read_at, sending_bank, reference, reference_form", "'no_code', now(), '014', 'A', 'A'"),
    "transfer_slips_code",
  ],
  [
    "a slip's reference with punctuation in the form for comparing",
    slip("outcome, read_at, sending_bank, reference, reference_form", "'read', now(), '014', 'A-1', 'A-1'"),
    "transfer_slips_reference_form_check",
  ],
  [
    "one of a picture's codes with punctuation in the form for comparing",
    `insert into slip_codes values (${object1}, '014', 'A-1', 'A-1')`,
    "slip_codes_reference_form_check",
  ],
];

/** What the tables of lookups refuse. */
export const chainRefusals: Refusal[] = [
  ["a lookup of no chain", lookup("attempts", "1").replace("'bitcoin'", "'thai_bank'"), "chain_lookups_coin_check"],
  ["facts that are none", lookup("facts, looked_at", "'[]', now()"), "chain_lookups_facts_check"],
  ["facts of no time", lookup("facts", "'{}'"), "chain_lookups_found"],
  ["less than no failures", lookup("failures", "-1"), "chain_lookups_failures_check"],
  [
    "a payment by no transaction",
    `${lookup("attempts", "1")}; insert into chain_payments select request_id, '0x1', 'bc1q' from chain_lookups`,
    "chain_payments_transaction_id_check",
  ],
  ["a service of no chain", changeService("coin = 'thai_bank' where coin = 'bitcoin'"), "chain_services_coin_check"],
  ["less than no failures of a service", changeService("failures = -1"), "chain_services_failures_check"],
  ["an unknown problem", changeService("failing_since = now(), problem = 'tired'"), "chain_services_problem_check"],
  ["a failure without a problem", changeService("failing_since = now()"), "chain_services_failing"],
  ["a second scan", "insert into ethereum_scan (id) values (2)", "ethereum_scan_id_check"],
  ["a block before the first", changeScan("next_block = -1"), "ethereum_scan_next_block_check"],
  ["a block without an id", changeScan("next_block = 1, last_block_id = 'x'"), "ethereum_scan_last_block_id_check"],
  ["an id of no block", changeScan(`last_block_id = '0x' || repeat('a', 64)`), "ethereum_scan_position"],
  [
    "a destination that is no address",
    "insert into ethereum_destinations values ('0xA', now())",
    "ethereum_destinations_destination_check",
  ],
  [
    "a transfer of no transaction",
    "insert into ethereum_transfers values ('0x1', '0x', '0x', 1, now())",
    "ethereum_transfers_transaction_id_check",
  ],
  [
    "a transfer of less than nothing",
    "insert into ethereum_transfers values ('0x' || repeat('a', 64), '0x', '0x', -1, now())",
    "ethereum_transfers_amount_check",
  ],
];

/** What the table of films refuses. */
export const filmRefusals: Refusal[] = [
  ["an unknown playability", film("playability", "'well'"), "films_playability_check"],
  ["a film of no time", film("duration_seconds", "0"), "films_duration_seconds_check"],
  ["a film of no width", film("width", "0"), "films_width_check"],
  ["a film of no height", film("height", "0"), "films_height_check"],
  ["a film whose fragments stand at its beginning", film("fragments_at", "0"), "films_fragments_at_check"],
  ["a hash of 31 bytes", film("sha256", "repeat('a', 31)::bytea"), "films_sha256_check"],
  ["a film that was never read and never will be", `insert into films (object_id) values (${object3})`, "films_read_or_due"],
];

/** What the table of requests and that of receipts refuse. */
export const requestRefusals: Refusal[] = [
  ["a request for no package", changeRequest("package_type = 'both'"), "payment_requests_package_type_check"],
  ["a request above the price", changeRequest("amount_usd = 498"), "payment_requests_amount"],
  ["a request with 101 percent off", changeRequest("discount_percent = 101"), "payment_requests_discount_percent_check"],
  ["less than a satoshi", changeRequest("amount_crypto = 0.000000001"), "payment_requests_amount_crypto_check"],
  ["an unknown currency", changeRequest("crypto_type = 'doge'"), "payment_requests_crypto_type_check"],
  ["a request that pays nowhere", changeRequest("wallet_address = ''"), "payment_requests_wallet_address_check"],
  ["an unknown state", changeRequest("status = 'paid', decided_at = now(), decided_by = 'a'"), "payment_requests_status_check"],
  ["a decision without a time", changeRequest("status = 'approved', decided_by = 'a'"), "payment_requests_decided_at"],
  ["a decision of nobody", changeRequest("status = 'approved', decided_at = now()"), "payment_requests_decided_by"],
  [
    "a rejection without a reason",
    changeRequest("status = 'rejected', decided_at = now(), decided_by = 'a'"),
    "payment_requests_reason",
  ],
  ["a reason of what is not rejected", changeRequest("rejection_reason = 'no'"), "payment_requests_reason"],
  ["a credit above what the request leaves", changeRequest("upgrade_credit_usd = 1"), "payment_requests_upgrade_credit"],
  ["half of an earlier quote", changeRequest("earlier_amount_usd = 1"), "payment_requests_earlier_quote"],
  [
    "an approval without a receipt's number",
    changeRequest("status = 'approved', decided_at = now(), decided_by = 'a'"),
    "payment_requests_receipt",
  ],
  ["a receipt's number of what is not approved", changeRequest("receipt_number = '2026-00001'"), "payment_requests_receipt"],
  [
    "two receipts of one number",
    `${approve}; ${request({ user_id: lek, idempotency_key: "'3'" })}; ${approve}`,
    "payment_requests_receipt_number_key",
  ],
  ["a year of receipts before there were any", "insert into receipt_counters values (1999, 1)", "receipt_counters_year_check"],
  ["a receipt before the first", "insert into receipt_counters values (2026, 0)", "receipt_counters_last_check"],
  ["two requests of one quote", request({ quote_id: quote1 }), "payment_requests_quote_id_key"],
  ["two requests of one screenshot", request({ screenshot_object_id: object1 }), "payment_requests_screenshot_object_id_key"],
  [
    "two requests that submit one again",
    `${request({ idempotency_key: "'2'", status: "'rejected'", rejection_reason: "'r'", decided_at: "now()", decided_by: "'a'", resubmits: request1 })}; ${request({ resubmits: request1, screenshot_object_id: object1 })}`,
    "payment_requests_resubmits_key",
  ],
  ["a payment without a method", changeRequest("crypto_type = null"), "payment_requests_nothing_to_pay"],
  [
    "no payment where something is to be paid",
    request({
      crypto_type: "null",
      amount_crypto: "null",
      wallet_address: "null",
      screenshot_url: "null",
      screenshot_object_id: "null",
    }),
    "payment_requests_nothing_to_pay",
  ],
  [
    "two approved requests of one transaction",
    `${changeRequest(approved("'R1'"))}; ${request({ reference: "'tx'" })}; update payment_requests set ${approved("'R2'")} where status = 'pending'`,
    "payment_requests_approved_reference",
  ],
  [
    "two open requests of one student for one package",
    request({ user_id: nok, idempotency_key: "'other'" }),
    "payment_requests_one_open",
  ],
  [
    "two requests of one student by one key",
    request({ user_id: nok, package_type: "'advanced'" }),
    "payment_requests_idempotency",
  ],
  [
    "deleting the screenshot of a request",
    `delete from stored_objects where id = ${object1}`,
    "payment_requests_screenshot_object_id_fkey",
  ],
];
