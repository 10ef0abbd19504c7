import { defaultWalletSettings, settingsField, settingsNames } from "#domain/payment-methods/settings";
import type { Transaction } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";

/** Removes sample destinations and ends the quotes that have them; prices stay. Returns whether there were any. */
export async function removeSampleDestinations(tx: Transaction, now: Date): Promise<boolean> {
  const row = await queries.lockSettings(tx);
  if (row?.is_sample !== true) return false;
  const names = settingsNames.filter((name) => settingsField(name).isDestination);
  const destinations = Object.fromEntries(names.map((name) => [name, defaultWalletSettings[name]]));
  await queries.upsertSettings(tx, { ...destinations, held_destinations: {}, is_sample: false, updated_at: now });
  await queries.advanceQuoteGeneration(tx);
  return true;
}
