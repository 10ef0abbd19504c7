import { audienceTiers, newsAudiences } from "#domain/news";
import type { SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../dependencies.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { mailsKey } from "./mail.ts";
import * as queries from "./queries.ts";

/** Drops the mails that wait of news that a student, whose tier became this one, does not read any more (NEWS-2). */
export async function dropUnreadable(
  { outbox }: Pick<Dependencies, "outbox">,
  tx: Transaction,
  accountId: string,
  tier: SubscriptionStatus,
): Promise<void> {
  const left = newsAudiences.filter((audience) => !audienceTiers[audience].includes(tier));
  const replaceKeys = (await queries.findAllMailed(tx, left)).map(mailsKey);
  await outbox.cancelOptional(tx, { accountId, kind: "news", replaceKeys }, "Not sent, because the student lost the tier.");
}
