import type { WalletSettings as WalletSettingsReply, WalletSettingsForm } from "#domain/api/wallet-settings";
import { ProductError } from "#domain/errors/messages";
import { changedDestinations, defaultWalletSettings } from "#domain/payment-methods/settings";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { confirmPassword } from "../auth/service.ts";
import * as queries from "./queries.ts";
import { settingsOf, walletSettingsView } from "./views.ts";

/** Returns the settings as the admin sees them (WALLET-1). */
export async function getWalletSettings(deps: Dependencies): Promise<WalletSettingsReply> {
  const row = await queries.findSettings(deps.db);
  return row
    ? walletSettingsView(row)
    : { ...defaultWalletSettings, is_sample: false, updated_at: deps.clock.now().toISOString() };
}

/**
 * Saves the form and returns the settings. Throws `password_confirmation_wrong`, and changes nothing, when an address or account
 * changes without the admin's password (WALLET-2), and `too_many_requests` after too many passwords. Quotes keep their figures (QUOTE-2).
 */
export async function saveWalletSettings(
  deps: Dependencies,
  actor: Actor & { id: string },
  form: WalletSettingsForm,
): Promise<WalletSettingsReply> {
  const { current_password, ...wanted } = form;
  const isConfirmed = current_password !== undefined && (await confirmPassword(deps, actor.id, current_password));
  return transaction(deps.db, async (tx) => {
    const row = await queries.lockSettings(tx);
    const before = row ? settingsOf(row) : { ...defaultWalletSettings, is_sample: false };
    const changed = changedDestinations(before, wanted);
    if (changed.length > 0 && !isConfirmed) throw new ProductError("password_confirmation_wrong");
    const now = deps.clock.now();
    const saved = await queries.upsertSettings(tx, { ...wanted, is_sample: false, updated_at: now });
    await recordAudit(tx, actor, {
      at: now,
      action: "wallet-settings.save",
      subject: { type: "wallet-settings", id: "1" },
      details: { changed, before, after: wanted },
    });
    return walletSettingsView(saved);
  });
}
