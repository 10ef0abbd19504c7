import { effectiveSettings } from "#domain/guard/delay";
import { defaultWalletSettings, type WalletSettings } from "#domain/payment-methods/settings";
import type { Connection } from "../../platform/db/database.ts";
import { findSettings } from "./queries.ts";
import { settingsOf, unsavedSettings } from "./views.ts";

/** The settings by which quotes are made now (GUARD-5), prices as USD decimal strings. */
export interface CurrentSettings extends WalletSettings {
  is_sample: boolean;
  unique_amounts: boolean;
  /** What the admin saved: the same, but for destinations that are not quoted yet. */
  saved: WalletSettings;
  /** A quote is void once this has moved on (GUARD-4). */
  quote_generation: number;
}

/** Returns the settings by which quotes are made at a time; the defaults (QUOTE-5) when there is no row. */
export async function currentSettings(connection: Connection, now: Date): Promise<CurrentSettings> {
  const row = await findSettings(connection);
  if (!row) return { ...unsavedSettings, saved: defaultWalletSettings, quote_generation: 0 };
  const { quote_generation, held_destinations: held } = row;
  const saved = settingsOf(row);
  const { is_sample, unique_amounts } = saved;
  return { ...effectiveSettings({ saved, held }, now), is_sample, unique_amounts, saved, quote_generation };
}
