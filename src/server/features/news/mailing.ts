import type { Config } from "../../config.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Outbox } from "../../platform/mail/outbox.ts";
import type { ChangeFeed } from "../../platform/realtime/changes.ts";
import type { Secrets } from "../../platform/secrets.ts";
import { newsMail } from "./mail.ts";
import * as queries from "./queries.ts";

/** Mails written in one transaction, with one notification to the mailers. More would hold the event loop for over 50 ms. */
const defaultBatchSize = 50;

/** Looks for mailings that a process left unfinished when it was killed. */
const pollMs = 15_000;

export interface NewsMailingParts {
  config: Pick<Config, "site">;
  secrets: Secrets;
  db: Database;
  clock: Clock;
  outbox: Outbox;
  changes: Pick<ChangeFeed, "subscribe">;
  onError: (what: string, error: unknown) => void;
  batchSize?: number;
}

/**
 * Writes the mails of published news to the outbox, in batches (NEWS-4). A batch and how far the mailing has come are one transaction under a lock of
 * the mailing's row, so that each student gets one mail, however many processes mail and wherever one is killed.
 */
export class NewsMailing {
  readonly #parts: NewsMailingParts;
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #isQueued = false;
  #isStopping = false;

  constructor(parts: NewsMailingParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.changes.subscribe(({ topic }) => {
      if (topic === "news-mailing" || topic === "gap") void this.run();
    });
    this.#timer = setInterval(() => void this.run(), pollMs).unref();
  }

  /** Writes what is left of every mailing. Resolves when nothing is, or after a failure, which the next run continues. */
  run(): Promise<void> {
    // A run may miss a mailing that began while it ended, so one more is queued; a third would find nothing.
    if (this.#isQueued) return this.#running;
    this.#isQueued = true;
    this.#running = this.#running.then(async () => {
      this.#isQueued = false;
      await this.#writeAll().catch((error: unknown) => this.#parts.onError("News by mail waits", error));
    });
    return this.#running;
  }

  /** Ends after the batch that is being written. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    clearInterval(this.#timer);
    await this.#running;
  }

  async #writeAll(): Promise<void> {
    while (!this.#isStopping && (await this.#writeBatch()));
  }

  /** Returns whether there was a mailing to go on with. */
  #writeBatch(): Promise<boolean> {
    const { config, secrets, db, clock, outbox, batchSize = defaultBatchSize } = this.#parts;
    return transaction(db, async (tx) => {
      const mailing = await queries.lockUnfinishedMailing(tx);
      if (!mailing) return false;
      const recipients = await queries.findRecipients(tx, mailing, batchSize);
      const mails = recipients.map((recipient) => newsMail({ site: config.site, secrets }, mailing, recipient));
      await outbox.enqueueAll(tx, mails);
      await queries.updateMailing(tx, mailing.news_id, {
        last_account_id: recipients.at(-1)?.id ?? mailing.last_account_id,
        mails: mailing.mails + mails.length,
        finished_at: recipients.length < batchSize ? clock.now() : null,
      });
      return true;
    });
  }
}

/** Goes on with what was left unfinished, and wakes with every new mailing. */
export function startNewsMailing(parts: NewsMailingParts): NewsMailing {
  const mailing = new NewsMailing(parts);
  void mailing.run();
  return mailing;
}
