import type { Clock } from "../clock.ts";
import type { Transaction } from "../db/database.ts";
import type { Secrets } from "../secrets.ts";
import type { Move } from "./outbox.ts";
import * as queries from "./redirect-queries.ts";
import { openBody, sealBody, type MailBody } from "./seal.ts";

/** Seals the unsent mails of an account for its new address; they are due at once, except those on their way and given-up ones. */
export async function redirect(
  { secrets: { mailKey }, clock }: { secrets: Secrets; clock: Clock },
  tx: Transaction,
  { accountId, from, to }: Move,
): Promise<void> {
  for (const row of await queries.findAllUnsent(tx, from)) {
    const body = bodyOf(mailKey, row);
    if (body?.accountId !== accountId) continue;
    await queries.updateRecipient(tx, row, { recipient: to, sealed_body: sealBody(mailKey, to, body), now: clock.steady() });
  }
}

function bodyOf(mailKey: Buffer, { recipient, sealed_body }: queries.UnsentMail): MailBody | undefined {
  try {
    return openBody(mailKey, recipient, sealed_body);
  } catch {
    // Sealed by secrets of another data folder: nobody can read it.
    return undefined;
  }
}
