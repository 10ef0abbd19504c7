import { quoteLifetimeSeconds } from "#domain/payments/quote";
import { walletGapLimit } from "#domain/payment-methods/bitcoin/extended-key";
import { ChainWaitError, ChainReplyError, ChainServiceError } from "../../platform/chain/chain.ts";
import type { Chains } from "../../platform/chain/open.ts";
import { isServiceClosed, storeServiceFailure, storeServiceSuccess } from "../../platform/chain/service-state.ts";
import { secondsAfter, type Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { retentionSeconds } from "../../platform/retention/periods.ts";
import { countUnused } from "./queries.ts";
import * as queries from "./reuse-queries.ts";

/** Addresses that are kept free for the next quotes. */
const stock = 5;

/** Unused addresses in a row from which on others are asked about. */
const unusedWithNeed = walletGapLimit - stock;

/** Seconds that an answer of the chain holds, and after which it is asked again. */
const answerSeconds = 3600;
const askAgainSeconds = 3000;

/** Seconds after a quote's end in which a late payer can name it: by a quote of the week's last minute, and as much again to be sure. */
const claimableSeconds = retentionSeconds.endedQuotes + 2 * quoteLifetimeSeconds;

/** Returns which addresses a quote may have again at a time (QUOTE-9). */
export function givableAt(now: Date): queries.Reuse {
  return { endedBefore: secondsAfter(now, -claimableSeconds), askedSince: secondsAfter(now, -answerSeconds) };
}

export interface FreeAddressParts {
  db: Database;
  clock: Clock;
  chains: Chains;
}

/**
 * Asks the chain about the oldest unused addresses of a key, once the key's unused ones come near what wallets look ahead (QUOTE-9). Throws
 * `ChainServiceError` at the first failure of the service, `ChainReplyError` for a reply that makes no sense; what was answered until then stays.
 */
export async function findFreeAddresses(parts: FreeAddressParts, key: string, stop: AbortSignal): Promise<void> {
  const { db, clock, chains } = parts;
  if (key === "" || (await isServiceClosed(db, "bitcoin", clock.steady()))) return;
  if ((await countUnused(db, key)) < unusedWithNeed) return;
  const now = clock.now();
  const wanted = { ...givableAt(now), askedSince: secondsAfter(now, -askAgainSeconds), now, stock };
  const candidates = await transaction(db, (tx) => queries.claimCandidates(tx, key, wanted));
  const reader = chains.bitcoin!.reader(stop);
  for (const [position, address] of candidates.entries()) {
    try {
      await queries.storeHistory(db, address, now, await reader.hasHistory(address));
    } catch (error) {
      // An address whose reply makes no sense is not asked about again at once, since others may be free.
      const firstUnasked = error instanceof ChainReplyError ? position + 1 : position;
      await queries.releaseCandidates(db, candidates.slice(firstUnasked), now);
      if (stop.aborted || error instanceof ChainWaitError) return;
      if (!(error instanceof ChainServiceError)) throw error;
      if (await storeServiceFailure(db, "bitcoin", clock.steady(), error)) throw error;
      return;
    }
  }
  if (candidates.length > 0) await storeServiceSuccess(db, "bitcoin");
}
