// @ts-check

/** @param {import("pg").Pool} pool @returns {import("./server.mjs").Routes} */
export function adminRoutes(pool) {
  return {
    "GET /api/payment-requests": async ({ principal, response }) => {
      if (principal.role !== "admin") return void response.writeHead(403, { "content-length": 0 }).end();
      const { rows } = await pool.query(findNewest);
      return { items: rows, next_cursor: rows.at(-1)?.created_at };
    },
  };
}

/** The newest 100 with the payer's tier, and of each the facts that its evidence is made of. */
const findNewest = {
  name: "newest",
  text: `
    select newest.*, subscription_status as payer_tier,
      (select json_agg(parts) from payment_request_parts as parts where payment_request_id = newest.id) as parts,
      (select json_agg(json_build_object('payment_request_id', others.id, 'kind', kind, 'email', others.payer_email, 'status', others.status,
          'created_at', others.created_at))
        from duplicate_screenshots join payment_requests as others on others.screenshot_object_id = other_object_id
        where object_id = newest.screenshot_object_id and others.id <> newest.id) as matches,
      (select json_agg(json_build_object('payment_request_id', others.id, 'email', others.payer_email, 'status', others.status))
        from payment_requests as others
        where others.reference = newest.reference and others.crypto_type = newest.crypto_type and others.id <> newest.id) as disputes,
      (select json_agg(json_build_object('outcome', outcome, 'sending_bank', sending_bank, 'reference', reference, 'read_at', read_at,
          'sharing', (select json_agg(others.id) from transfer_slips as same
            join payment_requests as others on others.screenshot_object_id = same.object_id
            where same.reference_form = slip.reference_form and same.object_id <> slip.object_id)))
        from transfer_slips as slip where object_id = newest.screenshot_object_id) as slip,
      (select row_to_json(chain_lookups) from chain_lookups where request_id = newest.id) as lookup,
      (select json_agg(chain_payments) from chain_payments where request_id = newest.id) as payments,
      exists (select from screenshot_fingerprints where object_id = newest.screenshot_object_id and picture is not null) as is_comparable,
      newest.wallet_address = any (array[bitcoin_address, ethereum_address, thai_bank_name || ' ' || thai_bank_account_number]) as is_current
    from (select * from payment_requests order by created_at desc, id desc limit 100) as newest
    left join profiles on profiles.id = newest.user_id
    left join wallet_settings on true
    order by newest.created_at desc, newest.id desc`,
};
