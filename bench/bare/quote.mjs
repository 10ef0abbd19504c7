// @ts-check

/** @param {import("pg").Pool} pool @returns {import("./server.mjs").Routes} */
export function quoteRoutes(pool) {
  return {
    "POST /api/quotes": async ({ principal, body: { package_type, replaces }, response }) => {
      const { rows: found } = await pool.query({ ...findTerms, values: [principal.id, package_type, replaces] });
      const { settings, others, is_open } = found[0];
      if (is_open) return void response.writeHead(409, { "content-length": 0 }).end();
      const usd = package_type === "starter" ? 497 : 997;
      const methods = methodsOf(settings, usd);
      const values = [principal.id, package_type, usd, JSON.stringify(methods), settings.quote_generation, replaces];
      const { rows } = await pool.query({ ...insertQuote, values });
      const { generation: _, user_id: __, replaces: ___, ...quote } = rows[0];
      return { ...quote, coupon_held: false, discount_usd: "0", earlier: earlierOf(methods, others ?? []) };
    },
  };
}

/** The student's other quotes, without those that the page has replaced one after the other unless they ended. */
const findTerms = {
  name: "terms",
  text: `
    with recursive line as (
      select id, replaces from quotes where id = $3::uuid
      union
      select former.id, former.replaces from quotes as former
      join line on line.replaces = former.id and former.expires_at >= now() + interval '30 seconds'
    )
    select
      (select row_to_json(wallet_settings) from wallet_settings) as settings,
      exists (select from payment_requests where user_id = $1 and package_type = $2 and status = 'pending') as is_open,
      (select json_agg(newest) from (
        select id, amount_usd::text, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at, methods from quotes
        where user_id = $1 and package_type = $2 and expires_at >= now() - interval '7 days'
          and (expires_at < now() + interval '30 seconds' or generation < (select quote_generation from wallet_settings)
            or id not in (select id from line))
        order by expires_at desc limit 50
      ) as newest) as others`,
};

const insertQuote = {
  name: "insert-quote",
  text: `
    with forgotten as (
      delete from quotes
      where user_id = $1 and expires_at < now() - interval '7 days'
        and not exists (select from payment_requests where quote_id = quotes.id)
    )
    insert into quotes (
      user_id, package_type, discount_percent, original_usd, amount_usd, methods, is_sample, generation, replaces, created_at, expires_at
    )
    values ($1, $2, 0, $3, $3, $4, false, $5, $6, now(), now() + interval '30 minutes') returning *`,
};

/** At most three quotes with other figures. @param {object[]} methods @param {any[]} others */
function earlierOf(methods, others) {
  const seen = new Set([figuresOf(methods)]);
  return others
    .map((quote) => ({ ...quote, methods: quote.methods.map(usable) }))
    .filter((quote) => seen.size < seen.add(figuresOf(quote.methods)).size)
    .slice(0, 3);
}

/** @param {object[]} methods */
const figuresOf = (methods) => JSON.stringify(methods.map(usable));

/** @param {any} method */
const usable = ({ crypto_type, amount_crypto, wallet_address }) => ({ crypto_type, amount_crypto, wallet_address });

/** @param {any} settings @param {number} usd */
function methodsOf(settings, usd) {
  const coin = (/** @type {number} */ price) => String(Number((usd / price).toFixed(8)));
  const {
    thai_bank_name: name,
    thai_bank_account_number: account_number,
    thai_bank_account_name: account_name,
    promptpay_id,
  } = settings;
  return [
    method("bitcoin", coin(settings.bitcoin_price_usd), settings.bitcoin_address),
    method("ethereum", coin(settings.ethereum_price_usd), settings.ethereum_address),
    {
      ...method("thai_bank", (usd * 35).toFixed(2), `${name} ${account_number}`),
      bank: { name, account_number, account_name, promptpay_id },
    },
  ];
}

/** @param {string} crypto_type @param {string} amount_crypto @param {string} wallet_address */
function method(crypto_type, amount_crypto, wallet_address) {
  return { crypto_type, available: true, amount_crypto, wallet_address };
}
