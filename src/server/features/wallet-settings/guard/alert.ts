import { undoSeconds, type FieldChanges } from "#domain/guard/changes";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";
import { findAllSince } from "./queries.ts";

/**
 * Mails an alert to the admin and to the alert address. A change of the alert address is mailed to the former one too, and the first one
 * of the last 72 hours gets every alert: who changes it first and then a destination does not silence it.
 */
export async function mailAlert(
  deps: Dependencies,
  tx: Transaction,
  about: { at: Date; fields: FieldChanges; alertEmail: string },
  mailTo: (address: string) => Mail,
): Promise<void> {
  const recent = await findAllSince(tx, secondsAfter(about.at, -undoSeconds));
  const settled = recent.flatMap(({ fields }) => fields.alert_email?.before || []).at(0);
  const addresses = [deps.config.admin.email, about.alertEmail, about.fields.alert_email?.before, settled];
  const recipients = new Set(addresses.filter((address) => address !== undefined && address !== ""));
  await deps.outbox.enqueueAll(
    tx,
    [...recipients].map((address) => mailTo(address!)),
  );
}
