// @ts-check

/** @param {import("pg").Pool} pool @returns {import("./server.mjs").Routes} */
export function submitRoutes(pool) {
  return {
    "POST /api/payment-requests": async ({ principal, body, request, response }) => {
      const { quote_id, crypto_type, upload_id } = body;
      const key = request.headers["idempotency-key"];
      const values = [principal.id, principal.email, principal.full_name, quote_id, crypto_type, upload_id, key];
      const { rows } = await pool.query({ ...submit, values: [...values, mailBody, mailBody] });
      if (rows.length === 0) return void response.writeHead(409, { "content-length": 0 }).end();
      return rows[0];
    },
  };
}

/** As long as the site's own, which are sealed. */
const mailBody = Buffer.alloc(4000, "m");

/** Checks, takes the quote, and writes request, audit entry and both mails; the triggers do the rest, as in the site's database. */
const submit = {
  name: "submit",
  text: `
    with quote as (
      select quotes.*, method->>'amount_crypto' as amount_crypto, method->>'wallet_address' as wallet_address
      from quotes, jsonb_array_elements(methods) as method
      where id = $4 and user_id = $1 and expires_at > now() and method->>'crypto_type' = $5 and (method->>'available')::boolean
        and generation >= (select quote_generation from wallet_settings)
    ), upload as (
      select id, name from stored_objects where id = $6 and owner_id = $1 and bucket = 'payment-screenshots' for update
    ), holder as (
      select subscription_status from profiles where id = $1 for share
    ), request as (
      insert into payment_requests (
        user_id, payer_email, payer_full_name, quote_id, package_type, original_usd, discount_percent, amount_usd, amount_crypto, crypto_type,
        wallet_address, screenshot_url, screenshot_object_id, consent_version, consented_at, idempotency_key, created_at
      )
      select $1, $2, $3, quote.id, package_type, original_usd, discount_percent, amount_usd, amount_crypto::numeric, $5,
        wallet_address, upload.name, upload.id, '1', now(), $7, now()
      from quote, upload, holder
      where subscription_status <> package_type and subscription_status <> 'advanced'
      returning *
    ), audit as (
      insert into audit_log (at, actor_id, actor_email, action, subject_type, subject_id, details, ip)
      select created_at, user_id, payer_email, 'payment-request.submit', 'payment-request', id::text,
        jsonb_build_object('payer', payer_email, 'package_type', package_type, 'amount_usd', amount_usd), '127.0.0.1'
      from request
    ), mails as (
      insert into mail_outbox (recipient, subject, sealed_body, created_at, next_attempt_at)
      select recipient, subject, body, created_at, created_at from request,
        lateral (values
          (payer_email, 'We received your payment request for ' || package_type, $8::bytea),
          ('owner@example.com', 'New payment request: ' || package_type, $9::bytea)) as mail (recipient, subject, body)
    )
    select * from request`,
};
