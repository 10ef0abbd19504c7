import type { Dependencies } from "../../../dependencies.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { reminderKey } from "./mail.ts";
import * as queries from "./queries.ts";

/**
 * Drops the reminders that wait of a student who lost Advanced (LIVESESSION-6). Where none can have arrived, the student counts as not
 * reminded, and is reminded after all where Advanced is back in time.
 */
export async function withdrawReminders(
  { outbox }: Pick<Dependencies, "outbox">,
  tx: Transaction,
  accountId: string,
): Promise<void> {
  const occurrences = await queries.findAllRemindedOf(tx, accountId);
  const keys = occurrences.map((id) => reminderKey(id, accountId));
  const unknown = await outbox.withdrawAll(tx, keys, "Not sent, because the student lost the tier.");
  for (const id of occurrences) {
    if (unknown.has(reminderKey(id, accountId))) await queries.deleteReminder(tx, id, accountId);
  }
}
