import { defaultWalletSettings, type WalletSettings } from "#domain/payment-methods/settings";
import type { Connection } from "../../platform/db/database.ts";
import { findSettings } from "./queries.ts";
import { settingsOf } from "./views.ts";

/** The settings by which quotes are made now, prices as USD decimal strings. */
export interface CurrentSettings extends WalletSettings {
  is_sample: boolean;
  unique_amounts: boolean;
}

/** Returns the settings by which quotes are made, prices as USD decimal strings; the defaults (QUOTE-5) when there is no row. */
export async function currentSettings(connection: Connection): Promise<CurrentSettings> {
  const row = await findSettings(connection);
  return row ? settingsOf(row) : { ...defaultWalletSettings, is_sample: false, unique_amounts: false };
}
