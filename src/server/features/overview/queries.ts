import { and, inArray, isNotNull, isNull, notInArray } from "drizzle-orm";
import type { Connection } from "../../platform/db/database.ts";
import { mailOutbox, setupCard, videos } from "../../platform/db/schema.ts";

export async function isSetupClosed(connection: Connection): Promise<boolean> {
  return (await connection.select().from(setupCard)).length > 0;
}

/** Stores that the card is closed; returns false where it was. */
export async function closeSetup(connection: Connection, at: Date): Promise<boolean> {
  const { rowCount } = await connection.insert(setupCard).values({ closed_at: at }).onConflictDoNothing();
  return rowCount === 1;
}

/** Returns whether a mail left for one of the addresses: those that were only printed keep their text. Mails are kept for 30 days (KEEP-1). */
export async function hasReceivedMail(connection: Connection, recipients: string[]): Promise<boolean> {
  const rows = await connection
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(and(inArray(mailOutbox.recipient, recipients), isNotNull(mailOutbox.sent_at), isNull(mailOutbox.sealed_body)))
    .limit(1);
  return rows.length > 0;
}

/** Returns whether there is a lesson that is none of these. */
export async function hasLessonBeside(connection: Connection, ids: string[]): Promise<boolean> {
  const rows = await connection.select({ id: videos.id }).from(videos).where(notInArray(videos.id, ids)).limit(1);
  return rows.length > 0;
}
