// Over 250 lines: one table with a row for each constraint, which is checked for completeness as a whole.
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import {
  account,
  anotherVideo,
  approve,
  attachment,
  captions,
  changeLive,
  changeNews,
  changeObject,
  changeOccurrence,
  changeOfEmail,
  changeProfile,
  changeQuote,
  changeRequest,
  changeSession,
  changeVideo,
  coupon,
  duplicate,
  factor,
  fingerprint,
  hash,
  lek,
  nok,
  object1,
  object2,
  object3,
  progress,
  quote1,
  request,
  request1,
  rows,
  unfinishedUpload,
} from "../support/constraints/rows.ts";
import { chainRefusals, filmRefusals, slipRefusals } from "../support/constraints/payment-requests.ts";
import { operatorRefusals } from "../support/constraints/operator.ts";
import { refusedDecisions } from "../support/constraints/decisions.ts";
import { refusedParts, type Refusal } from "../support/constraints/parts.ts";
import { walletRefusals } from "../support/constraints/wallet.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

/** Rules that the database itself holds, also against psql and against two processes at once. */
let database: ScratchDatabase;
beforeAll(async () => {
  database = await scratchDatabase("migrated");
  await database.client.query(rows);
});
afterAll(() => database.drop());
beforeEach(() => database.client.query("begin"));
afterEach(() => database.client.query("rollback"));

const approved = (receipt: string): string =>
  `status = 'approved', decided_at = now(), decided_by = 'a', receipt_number = ${receipt}`;

const refusals: Refusal[] = [
  ...operatorRefusals,
  ["a second set-up card", "insert into setup_card (id, closed_at) values (2, now())", "setup_card_id_check"],
  ["an address in capitals", account("Nok2@example.com"), "accounts_email_check"],
  ["an address of two letters", account("a@"), "accounts_email_check"],
  ["an unknown role", `update accounts set role = 'owner' where id = ${nok}`, "accounts_role_check"],
  ["a second admin", `update accounts set role = 'admin' where id = ${nok}`, "accounts_one_admin"],
  ["two verified accounts of one address", account("nok@example.com", "now()"), "accounts_verified_email"],
  ["a profile of another address", changeProfile("email = 'lek@example.com'"), "profiles_id_email_fkey"],
  ["a profile without a name", changeProfile("full_name = ''"), "profiles_full_name_check"],
  ["a name of 101 letters", changeProfile("full_name = repeat('n', 101)"), "profiles_full_name_check"],
  ["an unknown tier", changeProfile("subscription_status = 'gold'"), "profiles_subscription_status_check"],
  [
    "two live codes of one student",
    `insert into verification_codes (user_id, email, code_hash, created_at, expires_at) values (${nok}, '', '', now(), now() + interval '1 s')`,
    "verification_codes_one_live",
  ],
  ["a sixth try of a code", "update verification_codes set tries = 6", "verification_codes_tries_check"],
  ["a code that ends before it begins", "update verification_codes set expires_at = created_at", "verification_codes_check"],
  [
    "a recovery that ends before it begins",
    `insert into password_recoveries values ('', ${nok}, now(), now())`,
    "password_recoveries_check",
  ],
  ["a device name of 301 letters", changeSession("user_agent = repeat('a', 301)"), "sessions_user_agent_check"],
  [
    "an unknown kind of second factor",
    changeSession("second_factor_at = now(), second_factor_by = 'luck'"),
    "sessions_second_factor_by_check",
  ],
  ["a second factor passed at no time", changeSession("second_factor_by = 'totp'"), "sessions_second_factor"],
  ["a factor's name of 101 letters", factor("friendly_name", "repeat('n', 101)"), "mfa_factors_friendly_name_check"],
  ["two verified factors of one account", factor("friendly_name, verified_at", "'', now()"), "mfa_factors_one_verified"],
  ["two unfinished factors of one account", factor("friendly_name", "''"), "mfa_factors_one_unverified"],
  ["a sixth try of a challenge", "update mfa_challenges set tries = 6", "mfa_challenges_tries_check"],
  ["a new address in capitals", changeOfEmail("new_email = 'New@example.com'"), "email_changes_new_email_check"],
  ["a sixth try of a new address", changeOfEmail("tries = 6"), "email_changes_tries_check"],
  ["a change of address that ends before it begins", changeOfEmail("expires_at = created_at"), "email_changes_check"],
  [
    "an unknown kind of failure of a mail",
    "insert into mail_outbox (recipient, subject, created_at, failure_kind) values ('', '', now(), 'bad luck')",
    "mail_outbox_failure_kind_check",
  ],
  [
    "an optional mail of an unknown kind",
    "insert into mail_outbox (recipient, subject, created_at, optional_kind) values ('', '', now(), 'adverts')",
    "mail_outbox_optional_kind_check",
  ],
  ["news without a title", changeNews("title = ''"), "news_title_check"],
  ["news with a title of 121 letters", changeNews("title = repeat('t', 121)"), "news_title_check"],
  ["news without a text", changeNews("body = ''"), "news_body_check"],
  ["news for an unknown audience", changeNews("audience = 'gold'"), "news_audience_check"],
  [
    "news published twice by one click",
    "insert into news (title, body, audience, published_at, idempotency_key) select title, body, audience, now(), idempotency_key from news",
    "news_idempotency_key_key",
  ],
  ["less than no mails of news", "update news_mailings set mails = -1", "news_mailings_mails_check"],
  [
    "a choice about an unknown kind of mail",
    `insert into mail_choices values (${nok}, 'adverts', true, now())`,
    "mail_choices_kind_check",
  ],
  ["a key without a next address", "update bitcoin_keys set next_index = 0", "bitcoin_keys_next_index_check"],
  ["an address before the first", "update bitcoin_addresses set index = index - 1", "bitcoin_addresses_index_check"],
  ["a chain's answer that nobody asked for", "update bitcoin_addresses set has_history = false", "bitcoin_addresses_asked"],
  ["one address for two", "update bitcoin_addresses set address = 'bc1q0'", "bitcoin_addresses_address_key"],
  [
    "an address for an unknown package",
    "update bitcoin_addresses set package_type = 'gold'",
    "bitcoin_addresses_package_type_check",
  ],
  ["an amount in an unknown currency", "update own_amounts set crypto_type = 'gold'", "own_amounts_crypto_type_check"],
  ["an amount for an unknown package", "update own_amounts set package_type = 'gold'", "own_amounts_package_type_check"],
  ["an amount without digits of its own", "update own_amounts set amount = base_amount", "own_amounts_digits"],
  ["an unknown bucket", "update stored_objects set bucket = 'misc'", "stored_objects_bucket_check"],
  ["an empty file", "update stored_objects set size = 0", "stored_objects_size_check"],
  [
    "two files of one name in a bucket",
    `update stored_objects set name = 'one' where id = ${object2}`,
    "stored_objects_bucket_name_key",
  ],
  ["an object that is replaced at no time", changeObject(`replaced_by = ${object2}`), "stored_objects_replaced"],
  [
    "an object that replaces two",
    `update stored_objects set replaced_by = ${object2}, replaced_at = now() where id <> ${object2}`,
    "stored_objects_replaced_by_key",
  ],
  ...filmRefusals,
  ...slipRefusals,
  ["a video without a title", changeVideo("title = ''"), "videos_title_check"],
  ["a video without a module", changeVideo("module = ''"), "videos_module_check"],
  ["an order index of 0", changeVideo("order_index = 0"), "videos_order_index_check"],
  [
    "one poster of two videos",
    `${anotherVideo}; update videos set poster_object_id = ${object3}`,
    "videos_poster_object_id_key",
  ],
  ["one key of two videos", `${anotherVideo}; update videos set idempotency_key = 'key'`, "videos_idempotency"],
  ["captions in no language", captions("'e!'", "'English'", object2), "video_captions_language_check"],
  ["captions without a label", captions("'en'", "''", object2), "video_captions_label_check"],
  [
    "one file as captions in two languages",
    `${captions("'en'", "'English'", object2)}; ${captions("'th'", "'ไทย'", object2)}`,
    "video_captions_object_id_key",
  ],
  [
    "captions of a language twice",
    `${captions("'en'", "'E'", object2)}; ${captions("'en'", "'E'", object1)}`,
    "video_captions_pkey",
  ],
  ["one file attached twice", `${attachment(object2)}; ${attachment(object2)}`, "video_attachments_object_id_key"],
  ["an unknown package of a video", changeVideo("package_type = 'gold'"), "videos_package_type_check"],
  ["a video with two sources", changeVideo("video_url = 'https://example.com'"), "videos_one_source"],
  ["a video without a source", changeVideo("object_id = null"), "videos_one_source"],
  [
    "two videos of one file",
    `insert into videos (title, description, object_id, module, order_index, package_type, created_at) values ('B', '', ${object3}, 'M', 1, 'both', now())`,
    "videos_object_id_key",
  ],
  ["deleting the file of a video", `delete from stored_objects where id = ${object3}`, "videos_object_id_fkey"],
  ...chainRefusals,
  ["a position before the film", progress("10, 60").replace("10, 10", "-1, 10"), "video_progress_position_seconds_check"],
  ["a film of more than a day", progress("10, 86401"), "video_progress_duration_seconds_check"],
  ["a furthest position before the last one", progress("9, 60"), "video_progress_furthest"],
  ["a lesson done at no time", progress("10, 60", "true, null"), "video_progress_done"],
  ["two rows of progress in one lesson", `${progress("10, 60")}; ${progress("10, 60")}`, "video_progress_pkey"],
  ["a live session without a title", changeLive("title = ''"), "live_sessions_title_check"],
  ["a link to join that is not https", changeLive("join_url = 'http://meet.example'"), "live_sessions_join_url_check"],
  ["a time of day that is none", changeLive("time = '24:00'"), "live_sessions_time_check"],
  ["a live session without a time zone", changeLive("time_zone = ''"), "live_sessions_time_zone_check"],
  ["a live session of 4 minutes", changeLive("duration_minutes = 4"), "live_sessions_duration_minutes_check"],
  ["fewer than no changes of a live session", changeLive("sequence = -1"), "live_sessions_sequence_check"],
  ["a weekly session that ends before it begins", changeLive("ends_on = '2026-11-23'"), "live_sessions_end"],
  ["a last day of a single session", changeLive("weekly = false, ends_on = '2026-12-01'"), "live_sessions_end"],
  ["an occurrence that ends as it starts", changeOccurrence("ends_at = starts_at"), "live_occurrences_check"],
  ["fewer than no changes of an occurrence", changeOccurrence("sequence = -1"), "live_occurrences_sequence_check"],
  [
    "two occurrences of one day in a plan",
    "insert into live_occurrences (session_id, date, starts_at, ends_at, updated_at) select session_id, date, starts_at, ends_at, updated_at from live_occurrences",
    "live_occurrences_session_id_date_key",
  ],
  [
    "a link to a calendar before the first",
    `insert into calendar_links values (${nok}, 0, now())`,
    "calendar_links_version_check",
  ],
  ...walletRefusals,
  [
    "an empty note about a student",
    `insert into user_notes (account_id, text, created_at) values (${nok}, '', now())`,
    "user_notes_text_check",
  ],
  ["a coupon without a code", coupon("'', 1, 1"), "coupon_codes_code_check"],
  ["more than 100 percent off Starter", coupon("'A', 100.01, 1"), "coupon_codes_discount_starter_check"],
  ["less than nothing off Advanced", coupon("'A', 1, -1"), "coupon_codes_discount_advanced_check"],
  ["a coupon for no package", coupon("'A', 1, 1, 'none'", ", packages"), "coupon_codes_packages_check"],
  ["a coupon that ends when it starts", coupon("'A', 1, 1, now(), now()", ", starts_at, ends_at"), "coupon_codes_period"],
  ["a coupon without a use", coupon("'A', 1, 1, 0", ", max_uses"), "coupon_codes_max_uses"],
  ["a quote for no package", changeQuote("package_type = 'both'"), "quotes_package_type_check"],
  ["a quote with 101 percent off", changeQuote("discount_percent = 101"), "quotes_discount_percent_check"],
  ["a quote of nothing", changeQuote("original_usd = 0, amount_usd = 0"), "quotes_original_usd_check"],
  ["a quote above the price", changeQuote("amount_usd = 498"), "quotes_amount"],
  ["a quote that ends before it begins", changeQuote("expires_at = created_at"), "quotes_expiry"],
  ["an order of modules without a name", "insert into module_order values ('', 1)", "module_order_module_check"],
  ["a module at place 0", "insert into module_order values ('A', 0)", "module_order_position_check"],
  ["a module at two places", "insert into module_order values ('A', 1), ('A', 2)", "module_order_pkey"],
  ["two modules at one place", "insert into module_order values ('A', 1), ('B', 1)", "module_order_position_key"],
  ["an unfinished upload to no bucket", unfinishedUpload("'films'", 1), "unfinished_uploads_bucket_check"],
  ["an unfinished upload of nothing", unfinishedUpload("'course-videos'", 0), "unfinished_uploads_size_check"],
  ["a quote without methods", changeQuote("methods = '[]'"), "quotes_methods_check"],
  ["a credit above what the quote leaves", changeQuote("upgrade_credit_usd = 1"), "quotes_upgrade_credit"],
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
  ["a fingerprint of half a hash", fingerprint("sha256", "'abc'"), "screenshot_fingerprints_sha256_check"],
  [
    "a picture of another size",
    fingerprint("sha256, picture, edges, bands", `${hash}, 'abc', 0::bit(36480), '{1}'`),
    "screenshot_fingerprints_picture_check",
  ],
  [
    "a picture without what finds it",
    fingerprint("sha256, picture", `${hash}, convert_to(repeat('x', 18432), 'UTF8')`),
    "screenshot_fingerprints_whole_picture",
  ],
  ["a screenshot that duplicates itself", duplicate(object1, "same_file"), "duplicate_screenshots_check"],
  ["an unknown kind of duplicate", duplicate(object2, "similar"), "duplicate_screenshots_kind_check"],
  ["two requests of one quote", request({ quote_id: quote1 }), "payment_requests_quote_id_key"],
  ["two requests of one screenshot", request({ screenshot_object_id: object1 }), "payment_requests_screenshot_object_id_key"],
  [
    "two requests that submit one again",
    `${request({ idempotency_key: "'2'", status: "'rejected'", rejection_reason: "'r'", decided_at: "now()", decided_by: "'a'", resubmits: request1 })}; ${request({ resubmits: request1, screenshot_object_id: object1 })}`,
    "payment_requests_resubmits_key",
  ],
  ...refusedParts,
  ...refusedDecisions,
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

describe("the database refuses", () => {
  it.each(refusals)("%s", async (_what, statement, constraint) => {
    await expect(database.client.query(statement)).rejects.toMatchObject({ constraint });
  });

  it("by every check and unique rule it has", async () => {
    const { rows: found } = await database.client.query<{ name: string }>(`
      select conname as name from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace
      union select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indisunique and not i.indisprimary and c.relnamespace = 'public'::regnamespace`);
    const tried = new Set(refusals.map(([, , constraint]) => constraint));
    // A key of accounts that only lets profiles refer to it; the id alone is unique already.
    const untried = found.map(({ name }) => name).filter((name) => name !== "accounts_id_email_key" && !tried.has(name));
    expect(untried).toEqual([]);
  });
});

describe("the database allows", () => {
  it.each([
    ["a second sign-up beside a verified account", account("nok@example.com")],
    ["a second request for the other package", request({ user_id: nok, package_type: "'advanced'", idempotency_key: "'2'" })],
    ["the same key by another student", request()],
    ["a transaction that another request claims", request({ reference: "'tx'" })],
    [
      "two approved requests whose references are the same text in two methods",
      `${changeRequest(approved("'R1'"))}; ${request({ reference: "'tx'", crypto_type: "'ethereum'" })}; update payment_requests set ${approved("'R2'")} where status = 'pending'`,
    ],
    [
      "another request after a decision",
      `${changeRequest("status = 'rejected', rejection_reason = 'r', decided_at = now(), decided_by = 'a'")}; ${request({ user_id: nok, idempotency_key: "'2'" })}`,
    ],
    [
      "a transaction and a screenshot of a rejected request again",
      `${changeRequest("status = 'rejected', rejection_reason = 'r', decided_at = now(), decided_by = 'a'")}; ${request({ user_id: nok, idempotency_key: "'2'", reference: "'tx'", screenshot_object_id: object1 })}`,
    ],
    [
      "no payment where nothing is to be paid",
      request({
        amount_usd: "0",
        crypto_type: "null",
        amount_crypto: "null",
        wallet_address: "null",
        screenshot_url: "null",
        screenshot_object_id: "null",
      }),
    ],
    [
      "another code after the first is superseded",
      `update verification_codes set superseded = true; insert into verification_codes (user_id, email, code_hash, created_at, expires_at) values (${nok}, '', '', now(), now() + interval '1 s')`,
    ],
  ])("%s", async (_what, statement) => {
    await expect(database.client.query(statement)).resolves.toBeDefined();
  });
});

describe("deleting an account", () => {
  const count = async (table: string, where = "true"): Promise<number> => {
    const { rows: counted } = await database.client.query<{ n: number }>(
      `select count(*)::int as n from ${table} where ${where}`,
    );
    return counted[0]?.n ?? -1;
  };

  it("removes profile, sessions, codes, mail choices, read marks and quotes", async () => {
    await database.client.query(`delete from accounts where id = ${nok}`);
    expect(await count("profiles", `id = ${nok}`)).toBe(0);
    const tables = [
      "sessions",
      "verification_codes",
      "quotes",
      "mfa_factors",
      "mfa_challenges",
      "email_changes",
      "mail_choices",
      "news_reads",
    ];
    for (const table of tables) expect(await count(table)).toBe(0);
  });

  it("keeps payment requests and screenshots as they were", async () => {
    await database.client.query(`delete from accounts where id = ${nok}`);
    expect(await count("payment_requests", "user_id is null and payer_email = 'p@example.com' and quote_id is null")).toBe(1);
    expect(await count("stored_objects", "bucket = 'payment-screenshots' and owner_id is null")).toBe(2);
  });
});
