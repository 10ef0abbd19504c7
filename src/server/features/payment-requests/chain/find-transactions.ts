import type { ChainFacts, FoundTransaction } from "#domain/evidence/chain-facts";
import { decimal } from "#domain/money";
import type { BitcoinReader } from "../../../platform/chain/bitcoin.ts";
import type { ChainReader, ChainTransaction } from "../../../platform/chain/chain.ts";
import type { EthereumReader } from "../../../platform/chain/ethereum.ts";
import type { Chains } from "../../../platform/chain/open.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection } from "../../../platform/db/database.ts";
import { findAllUsed, type LookupRow } from "./queries.ts";
import * as scanQueries from "./scan-queries.ts";

/** A transaction that a student named, and where it should have paid. */
export interface NamedTransaction {
  id: string;
  destination: string;
}

/** What is looked for. */
export interface Sought extends Pick<LookupRow, "request_id" | "destination" | "since"> {
  /** A decimal of the coin. */
  amount: string;
  /** The transactions that the student named, the first part's first. */
  named: NamedTransaction[];
  /** Where only this request's student was ever asked to pay. */
  ownAddresses: string[];
}

export interface Found {
  by: ChainFacts["by"];
  /** By reference the named ones come first; by amount any of them may be the payment, the oldest first. */
  transactions: PayingTransaction[];
}

export interface PayingTransaction extends ChainTransaction, Pick<FoundTransaction, "restDestination"> {
  /** Where it was looked for. */
  destination: string;
}

/** Seconds that a block may be older than what is in it: miners' clocks differ, a slot of Ethereum has its start's time. */
const clockMarginSeconds = { bitcoin: 600, ethereum: 30 };

/** Transactions of one amount that are looked at, at most. */
const maxCandidates = 5;

/** Transfers of one amount of which the used ones are left out, at most. */
const maxTransfers = 500;

/** Returns the transactions that may pay for a request (CHAIN-2). Throws what `ChainReader` throws. */
export function findTransactions(
  db: Connection,
  chains: Chains,
  coin: LookupRow["coin"],
  sought: Sought,
  stop: AbortSignal,
): Promise<Found> {
  // A further coin does not compile without its own case.
  switch (coin) {
    case "bitcoin":
      return findBitcoin(db, chains.bitcoin!.reader(stop), sought);
    case "ethereum":
      return findEthereum(db, chains.ethereum!.reader(stop), sought);
  }
}

async function findBitcoin(db: Connection, reader: BitcoinReader, sought: Sought): Promise<Found> {
  const { destination, named, ownAddresses } = sought;
  const since = secondsAfter(sought.since, -clockMarginSeconds.bitcoin);
  const arrived: PayingTransaction[] = [];
  const isNew = ({ id }: { id: string }): boolean => arrived.every((one) => one.id !== id);
  for (const address of ownAddresses) {
    const restDestination = address === destination ? undefined : address;
    const found = (await reader.paymentsTo(address, since)).filter(isNew);
    arrived.push(...found.map((one) => ({ ...one, destination: address, restDestination })));
  }
  if (arrived.length > 0) {
    // A further part may have gone to another destination.
    return { by: "address", transactions: [...arrived, ...(await findNamed(reader, named.filter(isNew)))] };
  }
  if (named.length > 0) return { by: "reference", transactions: await findNamed(reader, named) };
  if (ownAddresses.includes(destination)) return { by: "address", transactions: [] };
  const payments = await reader.paymentsTo(destination, since);
  const ofAmount = payments
    .filter(({ received }) => decimal(received).eq(sought.amount))
    .map((one) => ({ ...one, destination }))
    .toReversed();
  return { by: "amount", transactions: await candidatesOf(db, sought, ofAmount, ({ id }) => id) };
}

async function findEthereum(db: Connection, reader: EthereumReader, sought: Sought): Promise<Found> {
  const { destination, named, amount } = sought;
  const since = secondsAfter(sought.since, -clockMarginSeconds.ethereum);
  const [first] = named;
  if (!first) {
    const transfers = await scanQueries.findAllTransfers(db, { destination, amount, since }, maxTransfers);
    const candidates = await candidatesOf(db, sought, transfers, ({ transaction_id }) => transaction_id);
    return { by: "amount", transactions: await stillThere(reader, candidates, destination) };
  }
  const repeated = await scanQueries.findAllRepeated(db, first.id, since, maxCandidates);
  const others = repeated.filter(({ transaction_id }) => named.every(({ id }) => id !== transaction_id));
  const transactions = [...(await findNamed(reader, named)), ...(await stillThere(reader, others, destination))];
  return { by: "reference", transactions };
}

/** Returns the oldest ones that count for no other request, else the oldest ones (CHAIN-5). */
async function candidatesOf<One>(
  db: Connection,
  sought: Sought,
  oldestFirst: One[],
  idOf: (one: One) => string,
): Promise<One[]> {
  const used = await findAllUsed(db, sought, oldestFirst.map(idOf));
  const unused = oldestFirst.filter((one) => !used.has(idOf(one)));
  return (unused.length > 0 ? unused : oldestFirst).slice(0, maxCandidates);
}

async function findNamed(reader: ChainReader, named: NamedTransaction[]): Promise<PayingTransaction[]> {
  const found: PayingTransaction[] = [];
  for (const { id, destination } of named) {
    const one = await reader.findTransaction(id, destination);
    if (one !== undefined) found.push({ ...one, destination });
  }
  return found;
}

/** Reads transfers anew, since blocks that were read may be gone and a transfer may have been reverted. */
async function stillThere(
  reader: ChainReader,
  transfers: scanQueries.TransferRow[],
  destination: string,
): Promise<PayingTransaction[]> {
  const found: PayingTransaction[] = [];
  for (const { transaction_id } of transfers) {
    const one = await reader.findTransaction(transaction_id, destination);
    if (one !== undefined && !one.isReverted) found.push({ ...one, destination });
  }
  return found;
}
