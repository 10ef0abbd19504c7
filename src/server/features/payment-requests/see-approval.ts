import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { markApprovalSeen } from "./queries.ts";

/** Notes that a student has seen the approval of their own request (JOURNEY-4); again changes nothing. Throws `payment_request_not_found`. */
export async function seeApproval(deps: Dependencies, userId: string, id: string): Promise<{ seen: true }> {
  if (!(await markApprovalSeen(deps.db, id, userId, deps.clock.now()))) throw new ProductError("payment_request_not_found");
  return { seen: true };
}
