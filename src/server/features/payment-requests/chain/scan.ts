import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { ChainWaitError } from "../../../platform/chain/chain.ts";
import type { Clock } from "../../../platform/clock.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { BlockHeader, EthereumReader } from "../../../platform/chain/ethereum.ts";
import type { Connection, Database } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { retentionSeconds } from "../../../platform/retention/periods.ts";
import * as queries from "./scan-queries.ts";

/** Blocks that one run reads at most, so that the budget of ten seconds leaves a part for lookups (CHAIN-6). */
const blocksPerRun = 70;

/** Blocks after which the progress is stored, and the lease renewed: a slow node replies within it, in 8 seconds each. */
const blocksPerStep = 5;

/** Seconds that the reading is leased for, and until the next one. */
const leaseSeconds = 60;
const everySeconds = 60;

/** Seconds that it is leased for until the first block is found, which takes a slow node some twenty replies. */
const startLeaseSeconds = 240;

/** Blocks that are read again after a reorganisation: more than the network has ever undone since 2022. */
const reorganisedBlocks = 64;

/** A cursor this far behind jumps to the earliest quote where that is later, instead of reading all blocks between. */
const farBehindBlocks = 7200;

/** Seconds between two blocks at least (EIP-3675). Nodes may have no blocks from before those that are needed (EIP-4444). */
const slotSeconds = 12;

/** Seconds before a quote from which blocks are read, since a block's time is that of its slot's start. */
const marginSeconds = 30;

/** Seconds until what waits for blocks is repeated. */
export const waitForBlocksSeconds = 15;

export interface ScanParts {
  db: Database;
  clock: Clock;
}

/**
 * Reads the new blocks of Ethereum once for all requests, and stores the transfers to their destinations since their quotes (CHAIN-4).
 * Returns at once while another process reads, or before the next reading is due. Throws what `EthereumReader` throws, and `ChainWaitError`
 * where another process reads since the lease ended; what was read until then is stored.
 */
export async function scanBlocks({ db, clock }: ScanParts, reader: EthereumReader): Promise<void> {
  const awaited = await queries.findAllAwaited(db, secondsAfter(clock.now(), -retentionSeconds.chainTransfers));
  if (awaited.length === 0) return;
  const lease = (): Date => secondsAfter(clock.steady(), leaseSeconds);
  const scan = await queries.claimScan(db, clock.steady(), secondsAfter(clock.steady(), startLeaseSeconds));
  if (scan === undefined) return;
  let leaseEnd = scan.due_at!;
  let isAtTip = false;
  try {
    const tip = await reader.tip();
    let cursor = await findStart(db, reader, awaited, scan, tip);
    const destinations = new Set(awaited.map(({ destination }) => destination));
    const end = Math.min(tip.number, cursor.next + blocksPerRun - 1);
    while (cursor.next <= end) {
      cursor = await readStep(db, reader, destinations, cursor, Math.min(end, cursor.next + blocksPerStep - 1));
      const due_at = lease();
      await storeProgress(db, leaseEnd, { next_block: cursor.next, last_block_id: cursor.lastId, due_at });
      leaseEnd = due_at;
    }
    isAtTip = cursor.next > tip.number;
  } finally {
    const now = clock.steady();
    // Without a wait where blocks are left: the next run goes on.
    await queries.updateScan(
      db,
      leaseEnd,
      isAtTip ? { due_at: secondsAfter(now, everySeconds), tip_at: now } : { due_at: null },
    );
  }
}

/** Throws `ChainWaitError` where another run has claimed the reading since: its cursor may be further back, for other destinations. */
async function storeProgress(connection: Connection, leaseEnd: Date, progress: queries.ScanChanges): Promise<void> {
  if (await queries.updateScan(connection, leaseEnd, progress)) return;
  throw new ChainWaitError("Another process reads the blocks of Ethereum.", waitForBlocksSeconds);
}

/** Seconds for which blocks that were read up to the newest one count as read: two readings may be late. */
const freshSeconds = 3 * everySeconds;

/** Returns whether the transfers to a destination since a time are stored, up to the newest blocks. */
export function areBlocksRead({ db, clock }: ScanParts, destination: string, since: Date): Promise<boolean> {
  const keptSince = secondsAfter(clock.now(), -retentionSeconds.chainTransfers);
  const from = since > keptSince ? since : keptSince;
  const now = clock.steady();
  // A time that lies further ahead was stored by a clock that was wrong.
  const tip = { after: secondsAfter(now, -freshSeconds), before: secondsAfter(now, clockToleranceSeconds) };
  return queries.existsRead(db, destination, from, tip);
}

interface Cursor {
  next: number;
  /** Of the block before `next`; undefined where it does not matter. */
  lastId: string | null;
}

/** Reads the blocks to `end`, or steps back where the chain was reorganised. */
async function readStep(
  db: Database,
  reader: EthereumReader,
  destinations: ReadonlySet<string>,
  start: Cursor,
  end: number,
): Promise<Cursor> {
  let cursor = start;
  while (cursor.next <= end) {
    const block = await reader.block(cursor.next, destinations);
    if (cursor.lastId !== null && block.parentId !== cursor.lastId) {
      return { next: Math.max(0, cursor.next - reorganisedBlocks), lastId: null };
    }
    await queries.upsertTransfers(
      db,
      block.transfers.map(({ id, ...transfer }) => ({ transaction_id: id, ...transfer, at: block.at })),
    );
    cursor = { next: cursor.next + 1, lastId: block.id };
  }
  return cursor;
}

/** Returns where to read on, so that every destination has been read since its earliest quote. */
async function findStart(
  db: Database,
  reader: EthereumReader,
  awaited: queries.Awaited[],
  scan: queries.ScanRow,
  tip: BlockHeader,
): Promise<Cursor> {
  // Blocks pass from now on in which nobody looks for the others.
  await queries.deleteReadExcept(
    db,
    awaited.map(({ destination }) => destination),
  );
  const read = await queries.findAllRead(db);
  const isRead = ({ destination, since }: queries.Awaited): boolean => {
    const readSince = read.get(destination);
    return readSince !== undefined && readSince <= since;
  };
  const { next_block: next, last_block_id: lastId } = scan;
  const firstOf = (some: queries.Awaited[]): Promise<number> =>
    firstBlockSince(reader, secondsAfter(earliestOf(some), -marginSeconds), tip);
  const isFar = next !== null && next < tip.number - farBehindBlocks;
  // Stryker disable next-line Boundary: where both are one block, none is skipped.
  const isAnew = next === null || (isFar && (await firstOf(awaited)) > next);
  // Destinations that are read already need no block twice, unless blocks between are skipped.
  const unread = isAnew ? awaited : awaited.filter((one) => !isRead(one));
  if (!isAnew && unread.length === 0) return { next, lastId };
  const first = await firstOf(unread);
  // Stryker disable next-line Boundary: from the next block on nobody asks whether the one before it is still there.
  const start = isAnew || first < next ? { next: first, lastId: null } : { next, lastId };
  await transaction(db, async (tx) => {
    const read_since = earliestOf(unread);
    await queries.upsertRead(
      tx,
      unread.map(({ destination }) => ({ destination, read_since })),
    );
    // Together, or a run that ends before its first step would leave blocks unread that count as read.
    await storeProgress(tx, scan.due_at!, { next_block: start.next, last_block_id: start.lastId, tip_at: null });
  });
  return start;
}

function earliestOf(awaited: queries.Awaited[]): Date {
  return new Date(Math.min(...awaited.map(({ since }) => since.getTime())));
}

/** Returns the number of the first block at or after a time, the newest one's where all are older. */
async function firstBlockSince(reader: EthereumReader, since: Date, tip: BlockHeader): Promise<number> {
  const seconds = Math.max(0, tip.at.getTime() - since.getTime()) / 1000;
  let [low, high] = [Math.max(0, tip.number - Math.ceil(seconds / slotSeconds)), tip.number];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { at } = await reader.header(middle);
    if (at < since) low = middle + 1;
    else high = middle;
  }
  return low;
}
