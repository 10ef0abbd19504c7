import type { Me } from "#domain/api/account";
import { secondsUntilResend, triesLeft } from "#domain/accounts/verification";
import type { Dependencies } from "../../dependencies.ts";
import { isAhead } from "../../platform/clock.ts";
import { existsFailed } from "../../platform/mail/failure-queries.ts";
import type { Principal } from "../../platform/http/access.ts";
import { replaceKeyOf } from "./mail.ts";
import * as queries from "./queries.ts";

/** Returns the status of the code that verifies the caller's address (VERIFY-7); null once it is verified. */
export async function verificationStatus(
  deps: Dependencies,
  principal: Pick<Principal, "id" | "email_verified">,
): Promise<Me["verification"]> {
  if (principal.email_verified) return null;
  const newest = await queries.findNewestCode(deps.db, principal.id);
  if (!newest) return { resend_after: 0, tries_left: 0, mail_failed: false };
  const now = deps.clock.now();
  const holds = newest.expires_at > now && !isAhead(newest.created_at, now);
  return {
    resend_after: secondsUntilResend(newest.created_at.getTime(), now.getTime()),
    tries_left: holds ? triesLeft(newest.tries) : 0,
    mail_failed: await existsFailed(deps.db, replaceKeyOf(principal.id)),
  };
}
