import type { TestMail } from "#domain/api/mail/test-mail";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { findWaiting } from "../../platform/mail/failure-queries.ts";
import { findByIdAndReplaceKey } from "../../platform/mail/queries.ts";
import { testMailKey } from "./mail.ts";
import { testMailView } from "./views.ts";

/** Returns a test mail and what has become of it. Throws `not_found`, also for any other mail. */
export async function readTestMail(deps: Dependencies, id: number): Promise<TestMail> {
  const row = await findByIdAndReplaceKey(deps.db, id, testMailKey);
  if (!row) throw new ProductError("not_found");
  // Before its first attempt it waits behind mails that failed, usually for the same reason.
  const last_error = row.attempts === 0 ? (await findWaiting(deps.db)).reason : row.last_error;
  return testMailView({ ...row, last_error }, deps);
}
