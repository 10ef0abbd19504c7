import type { WalletSettings as WalletSettingsReply, WalletSettingsForm } from "#domain/api/payments/wallet-settings";
import { ProductError } from "#domain/errors/messages";
import { fieldChanges } from "#domain/guard/changes";
import { holdDestinations } from "#domain/guard/delay";
import { sampleDestinations, withoutSample } from "#domain/payment-methods/sample";
import {
  changedFields,
  mapSettings,
  needsProof,
  type SettingsName,
  type WalletSettings,
} from "#domain/payment-methods/settings";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Connection } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { isProven, isSteppedUp, type Principal } from "../../platform/http/access.ts";
import { confirmPassword, lockCaller } from "../auth/service.ts";
import { countUnused, requireUsableKey } from "../bitcoin-addresses/service.ts";
import { pricesUpdatedAt, recordChangedPrices } from "./prices/store.ts";
import { requireUsualPrices } from "./prices/public-price.ts";
import { changeLimit, recordChange, type ChangedBy } from "./guard/record.ts";
import * as queries from "./queries.ts";
import { settingsOf, unsavedSettings, walletSettingsView, type StoredSettings } from "./views.ts";

/** Returns the settings as the admin sees them (WALLET-1). */
export async function getWalletSettings(deps: Dependencies): Promise<WalletSettingsReply> {
  const row = await queries.findSettings(deps.db);
  const settings = row ? walletSettingsView(row) : { ...unsavedSettings, updated_at: deps.clock.now().toISOString() };
  return withOtherTables(deps.db, settings);
}

/**
 * Saves what the form changes and returns the settings. A changed destination, price or alert address is recorded and mailed with a link to
 * undo it (GUARD-1); a new destination is quoted after `DESTINATION_DELAY` (GUARD-5). Quotes keep their figures (QUOTE-2). Throws
 * - `invalid_input` for a key from which no address can be derived,
 * - `wallet_settings_changed` as `withChanges` does,
 * - `password_confirmation_wrong` for a wrong password,
 * - that or `step_up_needed` for a new destination or alert address without the admin's password or a step-up (WALLET-2),
 * - `step_up_needed` for an unusual price in a session that is not proven (STEPUP-2),
 * - `too_many_requests` after too many passwords or saves, and `unavailable` when too many passwords wait to be compared,
 * - `not_signed_in` when the session has ended meanwhile.
 */
export async function saveWalletSettings(
  deps: Dependencies,
  principal: Principal,
  { actor, device }: ChangedBy,
  form: WalletSettingsForm,
): Promise<WalletSettingsReply> {
  const { current_password, expected, ...typed } = form;
  requireUsableKey(typed.bitcoin_xpub);
  const isConfirmed = current_password !== undefined && (await confirmPassword(deps, principal.id, current_password, actor.ip));
  await deps.limits.consume(changeLimit, principal.id);
  // A typed password is a claim: a wrong one is refused also where a step-up makes it unnecessary.
  if (current_password !== undefined && !isConfirmed) throw new ProductError("password_confirmation_wrong");
  const isFresh = isProven(principal, deps.clock.now());
  // With a second factor the password proves nothing (STEPUP-1).
  if (!isFresh && (!isConfirmed || principal.hasSecondFactor)) {
    const present = await getWalletSettings(deps);
    await requireUsualPrices(deps, principal.id, present, withChanges(present, typed, expected));
  }
  return transaction(deps.db, async (tx) => {
    const row = await queries.lockSettings(tx);
    // An undo may have ended the session while this save waited for it (GUARD-2).
    await lockCaller(deps, tx, principal);
    const before = row ? settingsOf(row) : unsavedSettings;
    const wanted = withChanges(before, typed, expected);
    const changed = changedFields(before, wanted);
    const now = deps.clock.now();
    // Having just signed in is not enough here: the screen may be one that somebody left.
    if (needsProof(changed) && !isConfirmed && !isSteppedUp(principal, now)) {
      throw new ProductError(isFresh ? "password_confirmation_wrong" : "step_up_needed");
    }
    // Nobody may be led back to sample addresses.
    const real = before.is_sample ? withoutSample(before) : before;
    const stored = { saved: real, held: row?.held_destinations ?? {} };
    const is_sample = before.is_sample && sampleDestinations(wanted).length > 0;
    const own = is_sample ? withoutSample(wanted) : wanted;
    const held_destinations = holdDestinations(stored, own, now, deps.config.payments.destinationDelaySeconds);
    const saved = await queries.upsertSettings(tx, { ...wanted, held_destinations, is_sample, updated_at: now });
    await recordChangedPrices(tx, before, wanted, now);
    await recordAudit(tx, actor, {
      at: now,
      action: "wallet-settings.save",
      subject: { type: "wallet-settings", id: "1" },
      details: { changed, before, after: wanted },
    });
    if (changed.length > 0) {
      await recordChange(deps, tx, { at: now, actor, device, fields: fieldChanges(real, settingsOf(saved), changed) }, saved);
    }
    return withOtherTables(tx, walletSettingsView(saved));
  });
}

type FormValues = WalletSettings & { unique_amounts: boolean };

/**
 * Returns the saved settings with the changes of a form that was filled with `expected`; without that, the whole form. What was changed
 * elsewhere meanwhile stays (ADMIN-5). Throws `wallet_settings_changed` when both changed a destination or the alert email, not to the same
 * value: what the admin confirmed would not be what is saved (WALLET-6).
 */
function withChanges(saved: FormValues, form: FormValues, expected: FormValues | undefined): FormValues {
  if (expected === undefined) return form;
  const edited = changedFields(expected, form);
  // A save that is repeated after a lost reply finds its own values saved.
  const others = changedFields(form, saved);
  const changedElsewhere = changedFields(expected, saved).filter((name) => others.includes(name));
  if (needsProof(edited) && needsProof(changedElsewhere)) throw new ProductError("wallet_settings_changed");
  // The saved value written in another way is no change, but is stored so.
  const isRewritten = (name: SettingsName): boolean => !others.includes(name) && form[name] !== expected[name];
  return {
    ...mapSettings((name) => (edited.includes(name) || isRewritten(name) ? form : saved)[name]),
    unique_amounts: (form.unique_amounts === expected.unique_amounts ? saved : form).unique_amounts,
  };
}

/** Returns the settings with the ages of the prices, and with how many of the key's addresses were not used. */
async function withOtherTables(connection: Connection, settings: StoredSettings): Promise<WalletSettingsReply> {
  return {
    ...settings,
    prices_updated_at: await pricesUpdatedAt(connection),
    bitcoin_addresses_unused: await countUnused(connection, settings.bitcoin_xpub),
  };
}
