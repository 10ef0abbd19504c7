// @ts-check

/** @param {import("pg").Pool} pool @returns {import("./server.mjs").Routes} */
export function quoteRoutes(pool) {
  return {
    "POST /api/quotes": async ({ principal, body: { package_type }, response }) => {
      const { rows: found } = await pool.query({ ...findTerms, values: [principal.id, package_type] });
      const { settings, ended, is_open } = found[0];
      if (is_open) return void response.writeHead(409, { "content-length": 0 }).end();
      const usd = package_type === "starter" ? 497 : 997;
      const values = [principal.id, package_type, usd, JSON.stringify(methodsOf(settings, usd)), settings.quote_generation];
      const { rows } = await pool.query({ ...insertQuote, values });
      const { generation: _, user_id: __, ...quote } = rows[0];
      return { ...quote, coupon_held: false, discount_usd: "0", earlier: ended ?? [] };
    },
  };
}

const findTerms = {
  name: "terms",
  text: `
    select
      (select row_to_json(wallet_settings) from wallet_settings) as settings,
      exists (select from payment_requests where user_id = $1 and package_type = $2 and status = 'pending') as is_open,
      (select json_agg(newest) from (
        select id, amount_usd, created_at, methods from quotes
        where user_id = $1 and package_type = $2
          and (expires_at < now() or generation < (select quote_generation from wallet_settings))
        order by expires_at desc limit 20
      ) as newest) as ended`,
};

const insertQuote = {
  name: "insert-quote",
  text: `
    insert into quotes (user_id, package_type, discount_percent, original_usd, amount_usd, methods, is_sample, generation, created_at, expires_at)
    values ($1, $2, 0, $3, $3, $4, false, $5, now(), now() + interval '30 minutes') returning *`,
};

/** @param {any} settings @param {number} usd */
function methodsOf(settings, usd) {
  const coin = (/** @type {number} */ price) => String(Number((usd / price).toFixed(8)));
  return [
    method("bitcoin", coin(settings.bitcoin_price_usd), settings.bitcoin_address),
    method("ethereum", coin(settings.ethereum_price_usd), settings.ethereum_address),
    method("thai_bank", (usd * 35).toFixed(2), `${settings.thai_bank_name} ${settings.thai_bank_account_number}`),
  ];
}

/** @param {string} crypto_type @param {string} amount_crypto @param {string} wallet_address */
function method(crypto_type, amount_crypto, wallet_address) {
  return { crypto_type, available: true, amount_crypto, wallet_address };
}
