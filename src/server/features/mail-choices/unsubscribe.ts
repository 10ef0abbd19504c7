import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { turnOff } from "./choose.ts";
import { openToken } from "./links.ts";

/**
 * Turns off the kind of mail that a token was made for (MAIL-9); again, or after the account was deleted, changes nothing. Throws
 * `unsubscribe_link_invalid`.
 */
export async function unsubscribe(deps: Dependencies, token: string): Promise<void> {
  const opened = openToken(deps.secrets, token);
  if (!opened) throw new ProductError("unsubscribe_link_invalid");
  const { accountId, kind } = opened;
  await transaction(deps.db, (tx) => turnOff(deps, tx, accountId, kind));
}
