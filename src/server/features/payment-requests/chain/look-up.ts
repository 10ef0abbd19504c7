import { confirmationsFinal, maxTransactions, type ChainFacts, type FoundTransaction } from "#domain/evidence/chain-facts";
import type { Coin } from "#domain/payment-methods/settings";
import { ChainWaitError, type ChainError } from "../../../platform/chain/chain.ts";
import type { Chains } from "../../../platform/chain/open.ts";
import { secondsAfter, type Clock } from "../../../platform/clock.ts";
import type { Connection, Database } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { retentionSeconds } from "../../../platform/retention/periods.ts";
import { findAllGiven } from "../../bitcoin-addresses/service.ts";
import type { PaymentRequestRow } from "../queries.ts";
import { findParts } from "../rest/queries.ts";
import { duePayment } from "./due-payment.ts";
import { findTransactions, type Found, type NamedTransaction, type PayingTransaction } from "./find-transactions.ts";
import { secondsToNextLookup } from "./pace.ts";
import { paymentsInUse, payingTransactions } from "./paying.ts";
import * as queries from "./queries.ts";
import { areBlocksRead, waitForBlocksSeconds } from "./scan.ts";

export interface LookupParts {
  db: Database;
  clock: Clock;
  chains: Chains;
  /** Why the blocks of Ethereum could not be read before the lookup. */
  blocksFault?: ChainError | undefined;
}

/** Seconds that a process has a lookup for: longer than all its requests may take. */
const leaseSeconds = 120;

/** How many transactions a lookup reads again, besides the last ones of ether: dust could use up the budget of all lookups (CHAIN-6). */
const maxReadAgain = 3;

/** Returns when the lease of a lookup ends that begins now. */
export const leaseEnd = (clock: Clock): Date => secondsAfter(clock.steady(), leaseSeconds);

/** Stores that a request by coin is to be looked up, at once. Does nothing where that is stored. */
export async function scheduleLookup({ db, clock }: LookupParts, request: PaymentRequestRow, coin: Coin): Promise<void> {
  // Stryker disable next-line StringLiteral: a request that is paid by coin has an address.
  const destination = request.earlier_wallet_address ?? request.wallet_address ?? "";
  await queries.insertLookup(db, {
    request_id: request.id,
    coin,
    destination: comparable(destination, coin),
    since: await queries.findLookupStart(db, request.id, await ownAddressesOf(db, request, coin, [destination])),
    next_at: clock.steady(),
  });
}

/** Returns those of the addresses where only this request's student was ever asked to pay. */
async function ownAddressesOf(
  connection: Connection,
  { user_id }: PaymentRequestRow,
  coin: Coin,
  addresses: string[],
): Promise<string[]> {
  // Stryker disable next-line ConditionTrue,ArrayDeclaration: no address of ether is given.
  return coin === "bitcoin" ? findAllGiven(connection, user_id, addresses) : [];
}

/** Addresses of ether are compared in lower case. */
const comparable = (address: string, coin: Coin): string => (coin === "ethereum" ? address.toLowerCase() : address);

/**
 * Looks for the payment of a request and stores what was found, unless another process has taken the lookup. Throws what
 * `ChainReader` throws; nothing is stored then.
 */
export async function lookUp(
  parts: LookupParts,
  lookup: queries.LookupRow,
  request: PaymentRequestRow,
  stop: AbortSignal,
): Promise<void> {
  const { db, chains } = parts;
  const { request_id, coin, destination, since } = lookup;
  const { soughtAmount: amount } = duePayment(request, coin);
  const named = await namedTransactions(db, request, lookup);
  const told = [destination, ...request.rest_destinations];
  const ownAddresses = await ownAddressesOf(db, request, coin, told);
  const sought = { request_id, destination, since, amount, named, ownAddresses };
  const present = await findTransactions(db, chains, coin, sought, stop);
  const { kept, gone } = await readFormer(parts, lookup, present, stop);
  const found = { by: present.by, transactions: [...kept, ...present.transactions] };
  const isByBlocks = coin === "ethereum" && found.by === "amount";
  // Only a pending request may still get another payment than one that counts for others.
  const isToFind = request.status === "pending" || found.transactions.length === 0;
  if (isByBlocks && isToFind && areAllOthers(found, await findUsed(db, lookup, found))) await requireBlocks(parts, lookup);
  await transaction(db, async (tx) => {
    await queries.lockPayments(tx);
    const used = await findUsed(tx, lookup, found);
    const namedIds = named.map(({ id }) => id);
    const paying = payingTransactions(found, namedIds, used);
    const facts: ChainFacts = {
      by: found.by,
      since: since.toISOString(),
      ...(isByBlocks && { readSince: readSince(parts.clock, lookup) }),
      transactions: paying.slice(0, maxTransactions).map((one) => foundTransaction(one, coin)),
      gone,
    };
    const isOthers = found.by === "amount" && areAllOthers(found, used);
    const { now, next } = nextTime(parts.clock, lookup, request, facts, isOthers);
    const isHeld = await queries.updateLookup(tx, lookup, { facts, looked_at: now, failures: 0, next_at: next });
    if (!isHeld) return;
    await queries.replacePayments(tx, request_id, paymentsInUse(found, namedIds, facts));
    // What is found by amount gives way to another, what was named does not.
    if (found.by === "reference") await queries.wakeSharing(tx, request_id, parts.clock.steady());
  });
}

/** Returns which of the transactions count for other requests. */
const findUsed = (connection: Connection, lookup: queries.LookupRow, { transactions }: Found): Promise<Set<string>> =>
  queries.findAllUsed(
    connection,
    lookup,
    transactions.map(({ id }) => id),
  );

/** Returns whether every transaction counts for other requests, so that the payment itself may still arrive. */
const areAllOthers = ({ transactions }: Found, used: ReadonlySet<string>): boolean =>
  transactions.every(({ id }) => used.has(id));

/** That nothing more is stored says something only where the blocks were read. */
async function requireBlocks(parts: LookupParts, { destination, since }: queries.LookupRow): Promise<void> {
  if (parts.blocksFault) throw parts.blocksFault;
  if (await areBlocksRead(parts, destination, since)) return;
  throw new ChainWaitError("Blocks of Ethereum are still to be read.", waitForBlocksSeconds);
}

/** Returns since when blocks were read without a gap; undefined where that is since the quote. Lookups go on where the last one ended. */
function readSince(clock: Clock, { since, facts, looked_at }: queries.LookupRow): string | undefined {
  const keptSince = secondsAfter(clock.now(), -retentionSeconds.chainTransfers);
  const lookedUntil = facts?.by === "amount" ? looked_at! : since;
  return lookedUntil < keptSince ? keptSince.toISOString() : facts?.readSince;
}

/** Returns what the student named: with the submit, and with each further part (PART-4). */
async function namedTransactions(
  db: Database,
  request: PaymentRequestRow,
  { coin, destination }: queries.LookupRow,
): Promise<NamedTransaction[]> {
  const parts = (await findParts(db, [request.id]))(request.id);
  const proofs = [{ reference: request.reference, wallet_address: destination }, ...parts];
  return proofs.flatMap(({ reference: id, wallet_address }) =>
    id === null ? [] : [{ id, destination: comparable(wallet_address, coin) }],
  );
}

function nextTime(clock: Clock, { coin }: queries.LookupRow, request: PaymentRequestRow, facts: ChainFacts, isOthers: boolean) {
  const now = clock.now();
  const ageSeconds = (now.getTime() - request.created_at.getTime()) / 1000;
  const seconds = secondsToNextLookup(duePayment(request, coin), facts, { status: request.status, ageSeconds, isOthers });
  return { now, next: seconds === undefined ? null : secondsAfter(clock.steady(), seconds) };
}

/**
 * Reads again the transactions of earlier lookups that were not found now: all that the last one found of ether, whose transfers are deleted
 * after a while (KEEP-1), and some of the others. Returns those that are gone from the chain, first those to be read next time, and those found
 * by amount that are still there.
 */
async function readFormer(
  { chains }: LookupParts,
  { facts, coin, destination }: queries.LookupRow,
  { by, transactions }: Found,
  stop: AbortSignal,
): Promise<{ kept: PayingTransaction[]; gone: string[] }> {
  const isMissing = (id: string): boolean => transactions.every((one) => one.id !== id);
  const earlier = (facts?.transactions ?? []).map(({ id }) => id).filter(isMissing);
  const missing = [...earlier, ...(facts?.gone ?? []).filter(isMissing)];
  // Stryker disable next-line OptionalChaining: without facts there are none of before.
  const areByAmount = by === "amount" && facts?.by === "amount";
  const count = maxReadAgain + (coin === "ethereum" ? earlier.length : 0);
  const [kept, gone]: [PayingTransaction[], string[]] = [[], missing.slice(count)];
  for (const id of missing.slice(0, count)) {
    const former = await chains[coin]!.reader(stop).findTransaction(id, destination);
    if (former === undefined) gone.push(id);
    else if (areByAmount && !former.isReverted) kept.push({ ...former, destination });
  }
  return { kept, gone: gone.slice(0, maxTransactions) };
}

function foundTransaction({ id, received, block, ...rest }: PayingTransaction, coin: Coin): FoundTransaction {
  const { isReverted, isContractCall, elsewhere, restDestination } = rest;
  const confirmations = Math.min(block?.confirmations ?? 0, confirmationsFinal[coin]);
  return {
    id,
    received,
    confirmations,
    at: block?.at.toISOString() ?? null,
    isReverted,
    isContractCall,
    elsewhere,
    restDestination,
  };
}
