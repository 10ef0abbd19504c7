import { withoutSample } from "#domain/payment-methods/sample";
import type { Transaction } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";
import { settingsOf } from "./views.ts";

/** Removes sample destinations and ends the quotes that have them; own ones and prices stay. Returns whether there were any. */
export async function removeSampleDestinations(tx: Transaction, now: Date): Promise<boolean> {
  const row = await queries.lockSettings(tx);
  if (row?.is_sample !== true) return false;
  await queries.upsertSettings(tx, { ...withoutSample(settingsOf(row)), is_sample: false, updated_at: now });
  await queries.advanceQuoteGeneration(tx);
  return true;
}
