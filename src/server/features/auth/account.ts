import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Principal } from "../../platform/http/access.ts";
import { NoSessionError } from "./sessions/authenticate.ts";
import * as queries from "./queries.ts";

/** Returns the caller's own account. Throws `not_signed_in` when it has just been deleted. */
export async function getAccount(deps: Dependencies, principal: Principal): Promise<queries.AccountRow> {
  const account = await queries.findById(deps.db, principal.id);
  if (!account) throw new NoSessionError("session_ended");
  return account;
}

/** Returns the account when it is a student's. Throws `user_not_found` or `admin_account_fixed`. */
export function requireStudentAccount<Row extends Pick<queries.AccountRow, "role">>(account: Row | undefined): Row {
  if (!account) throw new ProductError("user_not_found");
  if (account.role === "admin") throw new ProductError("admin_account_fixed");
  return account;
}
