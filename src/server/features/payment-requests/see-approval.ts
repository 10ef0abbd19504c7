import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { findById, markApprovalSeen } from "./queries.ts";

/** Marks the approval of a student's own request as seen, once (JOURNEY-4). Throws `payment_request_not_found`. */
export async function seeApproval(deps: Dependencies, userId: string, id: string): Promise<{ seen: true }> {
  const request = await findById(deps.db, id);
  if (request?.user_id !== userId || request.status !== "approved") throw new ProductError("payment_request_not_found");
  await markApprovalSeen(deps.db, id, deps.clock.now());
  return { seen: true };
}
