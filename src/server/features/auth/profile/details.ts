import type { Dependencies } from "../../../dependencies.ts";
import type { AccountRow } from "../queries.ts";
import { oldestEnrolment } from "../second-factor/enrolments.ts";
import { findAllByAccount, type FactorSummary } from "../second-factor/queries.ts";
import { findEmailChange, type EmailChangeRow } from "./queries.ts";

/** An account with its factors and its pending address. */
export interface AccountDetails extends AccountRow {
  factors: FactorSummary[];
  /** A new address whose code has not been entered. */
  emailChange: EmailChangeRow | undefined;
}

/** Returns an account that has neither factors nor a pending address. */
export function withoutDetails(account: AccountRow): AccountDetails {
  return { ...account, factors: [], emailChange: undefined };
}

/** Returns an account with its factors and its pending address. */
export async function withDetails(deps: Dependencies, account: AccountRow): Promise<AccountDetails> {
  const now = deps.clock.now();
  const [factors, emailChange] = await Promise.all([
    findAllByAccount(deps.db, account.id, oldestEnrolment(now)),
    findEmailChange(deps.db, account.id, now),
  ]);
  return { ...account, factors, emailChange };
}
