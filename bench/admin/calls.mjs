// @ts-check
// What the admin's pages ask for, with texts that the rows of this database have.

/**
 * Returns the paths by what they are called. A search takes the newest row that has such a text, or the oldest.
 * @param {import("pg").Client} client
 * @returns {Promise<Record<string, string>>}
 */
export async function callsOf(client) {
  /** @param {string} statement @param {unknown[]} [values] */
  const one = async (statement, values) => Object.values((await client.query(statement, values)).rows[0])[0];
  /** @param {string} column @param {string} where */
  const some = (column, where) => one(`select ${column} from payment_requests where ${where} order by created_at limit 1`);
  const hash = await some("reference", "reference like '0x%'");
  const cursor = await deepCursor(client);
  const user = await one("select user_id from payment_requests order by created_at limit 1");
  const email = await one("select email from accounts where id = $1", [user]);
  const newest = await one("select id from accounts where role = 'student' order by created_at desc limit 1");
  const entry = await one("select max(id) - count(*) / 4 from audit_log");
  /** @param {Record<string, string>} query */
  const requests = (query) => `/api/payment-requests?${new URLSearchParams(query)}`;
  return {
    "first page": requests({}),
    "first page, oldest": requests({ sort: "oldest" }),
    "page 5,000": requests({ cursor }),
    "page 5,000, approved": requests({ cursor, status: "approved" }),
    "page 5,000, by bank": requests({ cursor, method: "thai_bank" }),
    ...Object.fromEntries(
      filters.flatMap((filter) => [
        [name(filter), requests(filter)],
        [`${name(filter)}, oldest`, requests({ ...filter, sort: "oldest" })],
      ]),
    ),
    "search: e-mail": requests({ search: await some("payer_email", "true") }),
    "search: part of most e-mails": requests({ search: "gmail.com" }),
    "search: name": requests({ search: await some("payer_full_name", "payer_full_name ~ '^[A-Z]'") }),
    "search: first name": requests({ search: "Anna" }),
    "search: Thai name": requests({ search: await some("payer_full_name", "payer_full_name ~ '^ส'") }),
    "search: part of a Thai name": requests({ search: "ศรี" }),
    "search: address of old": requests({ search: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" }),
    "search: an address of its own": requests({
      search: await some("wallet_address", "wallet_address like 'bc1q%' and wallet_address not like 'bc1qar0%'"),
    }),
    "search: hash": requests({ search: hash }),
    "search: part of a hash": requests({ search: hash.slice(30, 42) }),
    "search: amount": requests({ search: "497" }),
    "search: exact coins": requests({ search: await some("amount_crypto::text", "crypto_type = 'bitcoin'") }),
    "search: part of coins": requests({ search: "0.0112" }),
    "search: receipt": requests({ search: await some("receipt_number", "receipt_number is not null") }),
    "search: coupon of old": requests({ search: "SEASON2" }),
    "search: two letters": requests({ search: "An" }),
    "search: one letter": requests({ search: "ส" }),
    "search: nothing": requests({ search: "zzzzqqqq" }),
    "search: amount, oldest": requests({ search: "497", sort: "oldest" }),
    "search: new bank, oldest": requests({ search: "Bangkok", sort: "oldest" }),
    "search: pending, part of most e-mails": requests({ search: "gmail.com", status: "pending" }),
    "search: rejected by bank, Thai name": requests({
      search: await some(
        "payer_full_name",
        "status = 'rejected' and crypto_type = 'thai_bank' and payer_full_name !~ '^[A-Z]'",
      ),
      status: "rejected",
      method: "thai_bank",
    }),
    "one request": `/api/payment-requests/${await some("id", "status = 'pending'")}`,
    "typical approval time": "/api/approval-time",
    counts: "/api/payment-requests/counts",
    "figures of 90 days": "/api/stats?days=90",
    "figures of a year": "/api/stats?days=365",
    ...Object.fromEntries(["newest", "oldest", "last-sign-in"].flatMap((sort) => userCalls(sort, email))),
    "one user": `/api/users/${user}`,
    "one user, newest": `/api/users/${newest}`,
    "one user, audit log": `/api/users/${user}/audit`,
    "audit log": audit({}),
    "audit log, one action": audit({ action: "payment-request.reject" }),
    "audit log, an action that nobody took": audit({ action: "user.delete" }),
    "audit log, one actor": audit({ actor: "admin@example.org" }),
    "audit log, one student": audit({ actor: email }),
    "audit log, one subject": audit({ subject: await some("id", "status = 'approved'") }),
    "audit log, actor and action that never met": audit({ actor: "admin@example.org", action: "payment-request.submit" }),
    "audit log, a quarter down": audit({ cursor: Buffer.from(JSON.stringify([String(entry)])).toString("base64url") }),
    "audit log, search: e-mail": audit({ search: email }),
    "audit log, search: part of most e-mails": audit({ search: "gmail.com" }),
    "audit log, search: receipt": audit({ search: await some("receipt_number", "receipt_number is not null") }),
    "audit log, search: receipts": audit({ search: "receipt_number" }),
    "audit log, search: all": audit({ search: "payment-request" }),
    "audit log, search: e-mail and action": audit({ search: "gmail.com", action: "payment-request.submit" }),
    "audit log, search: a letter": audit({ search: "g" }),
    "audit log, search: two letters of nowhere": audit({ search: "qz" }),
    "audit log, search: nothing in Thai": audit({ search: "สมชาย" }),
    "audit log, search: nothing": audit({ search: "zzzzqqqq" }),
  };
}

/** @param {Record<string, string>} query */
const audit = (query) => `/api/audit-log?${new URLSearchParams(query)}`;

/** Returns the users' list in an order, and its searches. @param {string} sort @param {string} email @returns {[string, string][]} */
function userCalls(sort, email) {
  const searches = {
    "e-mail": email,
    "part of most e-mails": "gmail.com",
    "first name": "Anna",
    "Thai name": "สมชาย",
    "part of a Thai name": "ศรี",
    "two letters": "An",
    "one letter": "ส",
    "two letters of nowhere": "qz",
    nothing: "zzzzqqqq",
  };
  return [
    [`users, ${sort}`, `/api/users?${new URLSearchParams({ sort })}`],
    [`users, ${sort}, of a tier`, `/api/users?${new URLSearchParams({ sort, tier: "advanced" })}`],
    ...Object.entries(searches).map(
      ([text, search]) =>
        /** @type {[string, string]} */ ([
          `users, ${sort}, search: ${text}`,
          `/api/users?${new URLSearchParams({ sort, search })}`,
        ]),
    ),
    [`users, ${sort}, search: name, of a tier`, `/api/users?${new URLSearchParams({ sort, search: "Anna", tier: "starter" })}`],
  ];
}

/** @type {Record<string, string>[]} */
const filters = [
  { status: "pending" },
  { status: "approved" },
  { status: "rejected" },
  { method: "bitcoin" },
  { method: "ethereum" },
  { method: "thai_bank" },
  { method: "none" },
  { package: "starter" },
  { package: "advanced" },
  { flagged: "true" },
  { flagged: "false" },
  { status: "pending", flagged: "true" },
  { status: "pending", method: "bitcoin" },
  { status: "rejected", method: "ethereum" },
  { status: "approved", package: "advanced" },
  { method: "thai_bank", package: "starter" },
];

/** @param {Record<string, string>} filter */
const name = (filter) =>
  Object.entries(filter)
    .map((pair) => pair.join(" "))
    .join(", ");

/** The cursor of page 5,000 of 50, which is a quarter down a million, or of that place in a smaller list. @param {import("pg").Client} client */
async function deepCursor(client) {
  const { rows } = await client.query(`
    select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from payment_requests
    order by created_at desc, id desc offset least(249949, (select count(*) from payment_requests) / 4) limit 1`);
  return Buffer.from(JSON.stringify(["newest", rows[0].at, rows[0].id])).toString("base64url");
}
