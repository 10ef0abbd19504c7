export const [nok, lek, boss, object1, object2, object3] = [1, 2, 3, 4, 5, 6].map(
  (digit) => `'00000000-0000-4000-8000-00000000000${digit}'`,
);
export const quote1 = `'00000000-0000-4000-8000-000000000011'`;
export const [factor1, factor2] = [`'00000000-0000-4000-8000-000000000021'`, `'00000000-0000-4000-8000-000000000022'`];

const session1 = `'00000000-0000-4000-8000-000000000031'`;

export const request1 = "(select id from payment_requests where quote_id is not null)";

/** Two students, the admin, three files, a quote, and one pending request of the first student. */
export const rows = `
  insert into accounts (id, email, password_hash, role, email_verified_at, created_at) values
    (${nok}, 'nok@example.com', '-', 'student', now(), now()),
    (${lek}, 'lek@example.com', '-', 'student', null, now()),
    (${boss}, 'admin@example.com', '-', 'admin', now(), now());
  insert into profiles (id, email, full_name) values (${nok}, 'nok@example.com', 'Nok'), (${lek}, 'lek@example.com', 'Lek');
  insert into sessions (account_id, created_at) values (${nok}, now());
  insert into mfa_factors (id, account_id, friendly_name, sealed_secret, created_at, verified_at)
    values (${factor1}, ${nok}, '', '', now(), now()), (${factor2}, ${nok}, '', '', now(), null);
  insert into mfa_challenges (factor_id, session_id, created_at) select ${factor1}, id, now() from sessions;
  insert into email_changes values (${nok}, 'new@example.com', '', now(), now() + interval '10 minutes', 0);
  insert into news (title, body, audience, published_at, idempotency_key) values ('T', 'B', 'everyone', now(), 'key');
  insert into news_reads select ${nok}, id, now() from news;
  insert into news_mailings (news_id, origin, started_at) select id, '', now() from news;
  insert into mail_choices values (${nok}, 'news', false, now());
  insert into verification_codes (user_id, email, code_hash, created_at, expires_at)
    values (${nok}, 'nok@example.com', '', now(), now() + interval '10 minutes');
  insert into stored_objects (id, bucket, name, filename, owner_id, content_type, size, created_at) values
    (${object1}, 'payment-screenshots', 'one', 'a.png', ${nok}, 'image/png', 1, now()),
    (${object2}, 'payment-screenshots', 'two', 'a.png', ${nok}, 'image/png', 1, now()),
    (${object3}, 'course-videos', 'one', 'a.mp4', ${boss}, 'video/mp4', 1, now());
  insert into videos (title, description, object_id, module, order_index, package_type, created_at)
    values ('Film', '', ${object3}, 'Forex Basics', 1, 'both', now());
  insert into live_sessions (id, title, description, join_url, date, time, time_zone, duration_minutes, weekly, planned_until,
    created_at, updated_at)
    values (${session1}, 'Live', '', 'https://meet.example', '2026-11-24', '19:00', 'UTC', 60, true, '2026-11-24', now(), now());
  insert into live_occurrences (session_id, date, starts_at, ends_at, updated_at)
    values (${session1}, '2026-11-24', now(), now() + interval '1 hour', now());
  insert into quotes (id, user_id, package_type, discount_percent, original_usd, amount_usd, methods, is_sample, created_at,
    expires_at)
    values (${quote1}, ${nok}, 'starter', 0, 497, 497, '[{}]', false, now(), now() + interval '1 minute');
  insert into bitcoin_keys values ('zpub', 2);
  insert into bitcoin_addresses values ('zpub', 0, 'bc1q0', ${nok}, 'starter', now(), now()), ('zpub', 1, 'bc1q1', ${nok}, 'starter', now(), now());
  insert into own_amounts values ('thai_bank', 'K 1', 100.01, 100, ${nok}, 'starter', now());
  ${request({ user_id: nok, quote_id: quote1, reference: "'tx'" })}`;

/** An insert of a payment request that is all right but for what is given. */
export function request(given: Record<string, string | undefined> = {}): string {
  const values = {
    user_id: lek,
    payer_email: "'p@example.com'",
    payer_full_name: "'P'",
    package_type: "'starter'",
    original_usd: "497",
    discount_percent: "0",
    amount_usd: "497",
    amount_crypto: "0.01104444",
    crypto_type: "'bitcoin'",
    wallet_address: "'bc1q'",
    screenshot_url: "'one'",
    screenshot_object_id: given["user_id"] === nok && given["quote_id"] ? object1 : object2,
    consent_version: "'1'",
    consented_at: "now()",
    idempotency_key: "'key'",
    created_at: "now()",
    ...given,
  };
  return `insert into payment_requests (${Object.keys(values).join(", ")}) values (${Object.values(values).join(", ")})`;
}

export const account = (email: string, more = "null") =>
  `insert into accounts (email, password_hash, created_at, email_verified_at) values ('${email}', '-', now(), ${more})`;
export const changeProfile = (change: string) => `update profiles set ${change} where id = ${nok}`;
export const changeNews = (change: string) => `update news set ${change}`;
export const changeVideo = (change: string) => `update videos set ${change}`;
export const changeSession = (change: string) => `update sessions set ${change}`;
export const factor = (columns: string, values: string) =>
  `insert into mfa_factors (account_id, sealed_secret, created_at, ${columns}) values (${nok}, '', now(), ${values})`;
export const changeOfEmail = (change: string) => `update email_changes set ${change}`;
export const unfinishedUpload = (bucket: string, size: number) =>
  `insert into unfinished_uploads values (gen_random_uuid(), ${nok}, ${bucket}, ${size}, '{}', now())`;
export const changeObject = (change: string) => `update stored_objects set ${change} where id = ${object3}`;
export const film = (columns: string, values: string) =>
  `insert into films (object_id, next_attempt_at, ${columns}) values (${object3}, now(), ${values})`;
export const progress = (furthest: string, done = "false, null") =>
  `insert into video_progress select ${nok}, id, 10, ${furthest}, ${done}, now(), now() from videos`;
export const anotherLive = `insert into live_sessions (title, description, join_url, date, time, time_zone, duration_minutes, weekly,
  planned_until, created_at, updated_at)
  select title, description, join_url, date, time, time_zone, duration_minutes, weekly, planned_until, now(), now() from live_sessions`;
export const changeLive = (change: string) => `update live_sessions set ${change}`;
export const changeOccurrence = (change: string) => `update live_occurrences set ${change}`;
export const anotherVideo = `insert into videos (title, description, video_url, module, order_index, package_type, created_at)
  values ('Another', '', 'https://films.example', 'M', 1, 'both', now())`;
export const captions = (language: string, label: string, object: string | undefined) =>
  `insert into video_captions select id, ${language}, ${label}, ${object} from videos where title = 'Film'`;
export const attachment = (object: string | undefined) =>
  `insert into video_attachments (video_id, object_id, created_at) select id, ${object}, now() from videos where title = 'Film'`;
export const changeQuote = (change: string) => `update quotes set ${change}`;
export const changeRequest = (change: string) => `update payment_requests set ${change}`;
export const approve = changeRequest(
  "status = 'approved', decided_at = now(), decided_by = 'a', receipt_number = '2026-00001' where status = 'pending'",
);
export const part = (given: Record<string, string | undefined> = {}) => {
  const values = {
    amount_asked: "1",
    wallet_address: "'bc1q'",
    screenshot_object_id: object2,
    idempotency_key: "'1'",
    ...given,
  };
  return `insert into payment_request_parts (payment_request_id, screenshot_url, submitted_at, ${Object.keys(values).join(", ")})
    values (${request1}, 'two', now(), ${Object.values(values).join(", ")})`;
};
export const fingerprint = (columns: string, values: string) =>
  `insert into screenshot_fingerprints (object_id, ${columns}) values (${object1}, ${values})`;
export const duplicate = (other: string | undefined, kind: string) =>
  `insert into duplicate_screenshots values (${object1}, ${other}, '${kind}')`;
export const hash = "sha256('')";
export const coupon = (values: string, column = "") =>
  `insert into coupon_codes (code, discount_starter, discount_advanced${column}) values (${values})`;

/** What approves a request with a number of its receipt, as SQL. */
export const approved = (receipt: string): string =>
  `status = 'approved', decided_at = now(), decided_by = 'a', receipt_number = ${receipt}`;
