import { changeQuote, coupon } from "./rows.ts";
import type { Refusal } from "./parts.ts";

/** What the database refuses of coupons, quotes, and the addresses and amounts that are given for them: what must not be, the statement that tries, the constraint. */
export const quoteRefusals: Refusal[] = [
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
  ["a quote without methods", changeQuote("methods = '[]'"), "quotes_methods_check"],
  ["a credit above what the quote leaves", changeQuote("upgrade_credit_usd = 1"), "quotes_upgrade_credit"],
];
