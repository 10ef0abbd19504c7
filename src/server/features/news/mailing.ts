import type { Config } from "../../config.ts";
import { BackgroundJob, type JobParts } from "../../platform/background-job.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Outbox } from "../../platform/mail/outbox.ts";
import type { Secrets } from "../../platform/secrets.ts";
import { stillWanting } from "../mail-choices/service.ts";
import { newsMail } from "./mail.ts";
import * as queries from "./queries.ts";

/** Mails written in one transaction, with one notification to the mailers. More would hold the event loop for over 50 ms. */
const defaultBatchSize = 50;

/** Looks for mailings that a process left unfinished when it was killed. */
const pollMs = 15_000;

export interface NewsMailingParts extends JobParts {
  config: Pick<Config, "site">;
  secrets: Secrets;
  db: Database;
  clock: Clock;
  outbox: Outbox;
  batchSize?: number;
}

/**
 * Writes the mails of published news to the outbox, in batches (NEWS-4). A batch and how far the mailing has come are one transaction under a lock of
 * the mailing's row, so that each student gets one mail, however many processes mail and wherever one is killed.
 */
export function newsMailingJob(parts: NewsMailingParts): BackgroundJob {
  const { changes, onError } = parts;
  const writeAll = async (stop: AbortSignal): Promise<void> => {
    while (!stop.aborted && (await writeBatch(parts)));
  };
  const tasks = [{ failure: "News by mail waits", run: writeAll }];
  return new BackgroundJob({ changes, onError, topic: "news-mailing", pollMs, tasks });
}

/** Returns whether there was a mailing to go on with. */
function writeBatch(parts: NewsMailingParts): Promise<boolean> {
  const { config, secrets, db, clock, outbox, batchSize = defaultBatchSize } = parts;
  return transaction(db, async (tx) => {
    const mailing = await queries.lockUnfinishedMailing(tx);
    if (!mailing) return false;
    const found = await queries.findAllRecipients(tx, mailing, batchSize);
    const recipients = await stillWanting(tx, "news", found);
    const mails = recipients.map((recipient) => newsMail({ site: config.site, secrets }, mailing, recipient));
    await outbox.enqueueAll(tx, mails);
    await queries.updateMailing(tx, mailing.news_id, {
      last_account_id: found.at(-1)?.id ?? mailing.last_account_id,
      mails: mailing.mails + mails.length,
      finished_at: found.length < batchSize ? clock.now() : null,
    });
    return true;
  });
}
