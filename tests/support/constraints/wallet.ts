import { hash } from "./rows.ts";
import type { Refusal } from "./parts.ts";

/** A change of the wallet settings, with some of its values replaced. */
const guardedChange = (values: Record<string, string> = {}) => {
  const row = {
    at: "now()",
    actor_email: "'a@example.com'",
    ip: "''",
    device: "''",
    fields: `'{"promptpay_id": {}}'`,
    undo_token_hash: hash,
    undo_until: "now() + interval '72 h'",
    undone_at: "null",
    ...values,
  };
  return `insert into guarded_changes (${Object.keys(row).join(", ")}) values (${Object.values(row).join(", ")})`;
};

/** What the database refuses of wallet settings, coin prices and their guard: what must not be, the statement that tries, the constraint. */
export const walletRefusals: Refusal[] = [
  ["a second row of wallet settings", "insert into wallet_settings (id) values (2)", "wallet_settings_id_check"],
  ["a Bitcoin price of 0", "update wallet_settings set bitcoin_price_usd = 0", "wallet_settings_bitcoin_price_usd_check"],
  ["an Ethereum price of 0", "update wallet_settings set ethereum_price_usd = 0", "wallet_settings_ethereum_price_usd_check"],
  ["a PromptPay ID that is none", "update wallet_settings set promptpay_id = '12'", "wallet_settings_promptpay_id_check"],
  ["a price of an unknown coin", "insert into coin_prices (coin) values ('dogecoin')", "coin_prices_coin_check"],
  ["a price set by nobody known", "update coin_prices set set_at = now(), set_by = 'luck'", "coin_prices_set_by_check"],
  ["a price set at no time", "update coin_prices set set_at = null, set_by = 'admin'", "coin_prices_set"],
  ["a lowest price of 0", "update coin_prices set lowest_usd = 0", "coin_prices_lowest_usd_check"],
  ["a highest price of 0", "update coin_prices set highest_usd = 0", "coin_prices_highest_usd_check"],
  ["bounds without a price between", "update coin_prices set lowest_usd = 2, highest_usd = 1", "coin_prices_bounds"],
  ["a public price of 0", "update public_prices set usd = 0, stated_at = now()", "public_prices_usd_check"],
  ["a public price of no time", "update public_prices set usd = 1", "public_prices_stated"],
  ["a price held for no known reason", "update coin_prices set held_reason = 'mood'", "coin_prices_held_reason_check"],
  ["a change of nothing", guardedChange({ fields: "'{}'" }), "guarded_changes_fields_check"],
  ["half a hash of an undo link", guardedChange({ undo_token_hash: "'abc'" }), "guarded_changes_undo_token_hash_check"],
  ["two changes with one undo link", `${guardedChange()}; ${guardedChange()}`, "guarded_changes_undo_token_hash_key"],
  ["an undo link that ends before its change", guardedChange({ undo_until: "now()" }), "guarded_changes_undo_until"],
  ["an undo before the change", guardedChange({ undone_at: "now() - interval '1 s'" }), "guarded_changes_undone_at"],
];
