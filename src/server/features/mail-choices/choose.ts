import type { MailChoices } from "#domain/api/mail/mail-choices";
import { ProductError } from "#domain/errors/messages";
import { optionalMailKinds, type OptionalMailKind } from "#domain/mail-choices";
import type { Dependencies } from "../../dependencies.ts";
import type { Connection, Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as queries from "./queries.ts";

/** Each change is notified to the student's open pages. */
const changes = { name: "mail-choices", points: 60, seconds: 600 };

/** Returns which optional mails a student gets (MAIL-8). Throws `not_signed_in` when the account has just been deleted. */
export async function readChoices(connection: Connection, accountId: string): Promise<MailChoices> {
  const choices = await queries.findChoices(connection, accountId);
  if (!choices) throw new ProductError("not_signed_in");
  return choices;
}

/**
 * Stores the given choices of a student and returns all (MAIL-8). Throws `too_many_requests`, or `not_signed_in` when the account has just been
 * deleted.
 */
export async function saveChoices(
  deps: Dependencies,
  accountId: string,
  given: { [Kind in keyof MailChoices]?: boolean | undefined },
): Promise<MailChoices> {
  await deps.limits.consume(changes, accountId);
  return transaction(deps.db, async (tx) => {
    for (const kind of optionalMailKinds) {
      const wanted = given[kind];
      if (wanted === true) await queries.upsertChoice(tx, accountId, { kind, wanted }, deps.clock.now());
      if (wanted === false) await turnOff(deps, tx, accountId, kind);
    }
    return readChoices(tx, accountId);
  });
}

/** Turns off a kind of mail, and drops the mails of it that wait (MAIL-8). */
export async function turnOff(
  { outbox, clock }: Dependencies,
  tx: Transaction,
  accountId: string,
  kind: OptionalMailKind,
): Promise<void> {
  await queries.upsertChoice(tx, accountId, { kind, wanted: false }, clock.now());
  await outbox.cancelOptional(tx, { accountId, kind }, "Not sent, because the recipient turned this kind of mail off.");
}
