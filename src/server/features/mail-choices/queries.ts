import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { MailChoices } from "#domain/api/mail/mail-choices";
import { optionalMails, type OptionalMailKind } from "#domain/mail-choices";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { accounts, mailChoices, profiles } from "../../platform/db/schema.ts";

/** Returns a condition on `profiles`: whether the student wants a kind of mail, by their choice or else by default (MAIL-8). */
export function wantsMail(kind: OptionalMailKind): SQL<boolean> {
  const isDefault = inArray(profiles.subscription_status, [...optionalMails[kind].wantedByDefault]);
  return sql`coalesce((
    select ${mailChoices.wanted} from ${mailChoices}
    where ${mailChoices.account_id} = ${profiles.id} and ${mailChoices.kind} = ${kind}
  ), ${isDefault})`;
}

/** Returns those of locked students who want a kind of mail. The query that locked them has read the choices of before it waited for a lock. */
export async function stillWanting<Student extends { id: string }>(
  tx: Transaction,
  kind: OptionalMailKind,
  students: readonly Student[],
): Promise<Student[]> {
  if (students.length === 0) return [];
  const ids = students.map(({ id }) => id);
  const rows = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(inArray(profiles.id, ids), wantsMail(kind)));
  const wanting = new Set(rows.map(({ id }) => id));
  return students.filter(({ id }) => wanting.has(id));
}

/** Returns a student's choices; undefined when the account is deleted. */
export async function findChoices(connection: Connection, accountId: string): Promise<MailChoices | undefined> {
  const [row] = await connection
    .select({ news: wantsMail("news"), live_session_reminder: wantsMail("live_session_reminder") })
    .from(profiles)
    .where(eq(profiles.id, accountId));
  return row;
}

/**
 * Stores a choice; writes nothing when it is the same as before, or when the account is deleted. Takes turns with the writing of optional mails
 * to the account.
 */
export async function upsertChoice(
  connection: Connection,
  accountId: string,
  { kind, wanted }: { kind: OptionalMailKind; wanted: boolean },
  now: Date,
): Promise<void> {
  await connection.execute(sql`
    insert into ${mailChoices} (account_id, kind, wanted, chosen_at)
    select ${accounts.id}, ${kind}, ${wanted}, ${now.toISOString()}::timestamptz
    from ${accounts} where ${accounts.id} = ${accountId} for update
    on conflict (account_id, kind) do update set wanted = excluded.wanted, chosen_at = excluded.chosen_at
    where ${mailChoices.wanted} <> excluded.wanted`);
}
