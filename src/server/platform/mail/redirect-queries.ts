import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Connection } from "../db/database.ts";
import { mailOutbox } from "../db/schema.ts";
import type { OutboxRow } from "./queries.ts";

export type UnsentMail = Pick<OutboxRow, "id" | "recipient"> & { sealed_body: Buffer };

/** Returns the mails to an address that were not sent and have their text, the oldest first. */
export async function findAllUnsent(connection: Connection, recipient: string): Promise<UnsentMail[]> {
  const rows = await connection
    .select({ id: mailOutbox.id, recipient: mailOutbox.recipient, sealed_body: mailOutbox.sealed_body })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.recipient, recipient), isNull(mailOutbox.sent_at), isNotNull(mailOutbox.sealed_body)))
    .orderBy(asc(mailOutbox.id));
  return rows as UnsentMail[];
}

/** Readdresses a mail that still waits. One that waits after a failure is due now; one on its way stays with its process. */
export async function updateRecipient(
  connection: Connection,
  { id, recipient: before }: UnsentMail,
  { recipient, sealed_body, now }: { recipient: string; sealed_body: Buffer; now: Date },
): Promise<void> {
  const { next_attempt_at, failure_kind } = mailOutbox;
  const isOver = sql`${failure_kind} is not null and ${next_attempt_at} is not null`;
  const next = sql`case when ${isOver} then least(${next_attempt_at}, ${now.toISOString()}::timestamptz) else ${next_attempt_at} end`;
  await connection
    .update(mailOutbox)
    .set({ recipient, sealed_body, next_attempt_at: next })
    .where(
      and(
        eq(mailOutbox.id, id),
        eq(mailOutbox.recipient, before),
        isNull(mailOutbox.sent_at),
        isNotNull(mailOutbox.sealed_body),
      ),
    );
}
