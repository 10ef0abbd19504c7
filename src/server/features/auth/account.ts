import type { Dependencies } from "../../dependencies.ts";
import type { Principal } from "../../platform/http/access.ts";
import { NoSessionError } from "./authenticate.ts";
import * as queries from "./queries.ts";

/** The caller's own account; throws `not_signed_in` when it was deleted a moment ago. */
export async function getAccount(deps: Dependencies, principal: Principal): Promise<queries.AccountRow> {
  const account = await queries.findAccount(deps.db, principal.id);
  if (!account) throw new NoSessionError("session_ended");
  return account;
}
