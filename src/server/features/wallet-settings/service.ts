import type { WalletSettings as ShownSettings, WalletSettingsForm } from "#domain/api/wallet-settings";
import { ProductError } from "#domain/messages";
import { canonical } from "#domain/money";
import {
  changedDestinations,
  defaultWalletSettings,
  mapSettings,
  priceFieldOf,
  settingsField,
  type Coin,
  type WalletSettings,
} from "#domain/payment-methods/settings";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Connection } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { confirmPassword } from "../auth/service.ts";
import * as queries from "./queries.ts";

const priceRequests = { name: "crypto-price", points: 30, seconds: 60 };

/** The settings that quotes are made from, prices as USD decimal strings; the specified defaults when there is no row. */
export async function currentSettings(connection: Connection): Promise<WalletSettings & { is_sample: boolean }> {
  const row = await queries.read(connection);
  return row ? withPlainPrices(row) : { ...defaultWalletSettings, is_sample: false };
}

/** The single row as the admin sees it (WALLET-1). */
export async function getWalletSettings(deps: Dependencies): Promise<ShownSettings> {
  const row = await queries.read(deps.db);
  return row ? shown(row) : { ...defaultWalletSettings, is_sample: false, updated_at: deps.clock.now().toISOString() };
}

/**
 * Saves the form. Changing an address or account needs the admin's password, since that is where money goes; throws
 * `password_confirmation_wrong` otherwise and changes nothing. Open quotes keep what they promised (QUOTE-2).
 */
export async function saveWalletSettings(
  deps: Dependencies,
  actor: Actor & { id: string },
  form: WalletSettingsForm,
): Promise<ShownSettings> {
  const { current_password, ...wanted } = form;
  const isConfirmed = current_password !== undefined && (await confirmPassword(deps, actor.id, current_password));
  return transaction(deps.db, async (tx) => {
    const row = await queries.readForUpdate(tx);
    const before = row ? withPlainPrices(row) : { ...defaultWalletSettings, is_sample: false };
    const changed = changedDestinations(before, wanted);
    if (changed.length > 0 && !isConfirmed) throw new ProductError("password_confirmation_wrong");
    const now = deps.clock.now();
    const saved = await queries.write(tx, { ...wanted, is_sample: false, updated_at: now });
    await recordAudit(tx, actor, {
      at: now,
      action: "wallet-settings.save",
      subject: { type: "wallet-settings", id: "1" },
      details: { changed, before, after: wanted },
    });
    return shown(saved);
  });
}

/** Returns a coin's USD price from the public price service, a decimal string. Throws the coin's own error, such as `bitcoin_price_failed`. */
export async function fetchCryptoPrice(deps: Dependencies, adminId: string, coin: Coin): Promise<{ usd: string }> {
  await deps.limits.consume(priceRequests, adminId);
  try {
    return { usd: await deps.prices.usdPrice(coin) };
  } catch {
    throw new ProductError(priceFieldOf(coin).failed);
  }
}

function withPlainPrices(row: queries.WalletSettingsRow): WalletSettings & { is_sample: boolean } {
  const settings = mapSettings((name) => (settingsField(name).kind === "price" ? canonical(row[name]) : row[name]));
  return { ...settings, is_sample: row.is_sample };
}

function shown(row: queries.WalletSettingsRow): ShownSettings {
  return { ...withPlainPrices(row), updated_at: row.updated_at.toISOString() };
}
