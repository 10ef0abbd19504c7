import * as z from "zod";
import { decimal } from "#domain/money";
import { ChainReplyError, ChainServiceError, type ChainReader, type ChainService, type ChainTransaction } from "./chain.ts";
import { ServiceClient, type ServiceClientSettings } from "./service-client.ts";

/** Of block 0 of the main network. */
const genesisId = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";

/** Satoshi that exist at most. */
const maxSatoshi = 2_100_000_000_000_000;

/** Pages of 25 transactions that are read at most, beside the first. */
const maxPages = 10;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const height = z.int().min(0).max(100_000_000);
/** Seconds since 1970: from block 0 to the largest that a block's header can have. */
const blockTime = z
  .int()
  .min(1_231_006_505)
  .max(2 ** 32 - 1);

/** The documented fields of Esplora's API (Blockstream/esplora, API.md) that are used. */
const Transaction = z.object({
  txid: hash,
  vout: z.array(z.object({ scriptpubkey_address: z.string().nullish(), value: z.int().min(0).max(maxSatoshi) })).max(100_000),
  status: z.union([
    z.object({ confirmed: z.literal(false) }),
    z.object({ confirmed: z.literal(true), block_height: height, block_time: blockTime }),
  ]),
});
type Transaction = z.infer<typeof Transaction>;

const Stats = z.object({ tx_count: z.int().min(0) });
const Address = z.object({ chain_stats: Stats, mempool_stats: Stats });

export interface BitcoinReader extends ChainReader {
  /** Returns the transactions that pay to an address and are in no block yet or in one since a time, newest first; at most 325. */
  paymentsTo(address: string, since: Date): Promise<ChainTransaction[]>;
  /** Returns whether an address is part of any transaction, in a block or waiting for one. */
  hasHistory(address: string): Promise<boolean>;
}

/** Reads Bitcoin's main network from an Esplora service. */
export function openBitcoin(settings: ServiceClientSettings): ChainService<BitcoinReader> {
  const client = new ServiceClient(settings);
  let isMainNetwork = false;
  const checkNetwork = async (stop: AbortSignal): Promise<void> => {
    if (isMainNetwork) return;
    const blocks = await client.get("/blocks/0", z.array(z.object({ id: hash })).min(1), stop);
    if (blocks === undefined) throw new ChainServiceError("unreachable", `${client.host} has no Esplora API at this path.`);
    if (blocks[0]!.id !== genesisId) {
      throw new ChainServiceError("wrong_network", `${client.host} is not on Bitcoin's main network.`);
    }
    isMainNetwork = true;
  };

  return {
    reader: (stop) => ({
      async findTransaction(id, destination) {
        await checkNetwork(stop);
        const found = await client.get(`/tx/${id}`, Transaction, stop);
        if (found === undefined) return undefined;
        if (found.txid !== id) throw new ChainReplyError(`${client.host} replied with another transaction.`);
        return seenFrom(found, destination, await readTip(client, stop));
      },
      async paymentsTo(address, since) {
        await checkNetwork(stop);
        const found = await listTransactions(client, address, since, stop);
        const tip = await readTip(client, stop);
        return found.map((one) => seenFrom(one, address, tip)).filter(({ received }) => !decimal(received).eq(0));
      },
      async hasHistory(address) {
        await checkNetwork(stop);
        const found = await client.get(`/address/${address}`, Address, stop);
        if (found === undefined) throw new ChainReplyError(`${client.host} does not accept an address.`);
        return found.chain_stats.tx_count + found.mempool_stats.tx_count > 0;
      },
    }),
  };
}

async function readTip(client: ServiceClient, stop: AbortSignal): Promise<number> {
  const tip = await client.get("/blocks/tip/height", height, stop);
  if (tip === undefined) throw new ChainServiceError("unreachable", `${client.host} has no Esplora API at this path.`);
  return tip;
}

/** Newest first, as the service lists them: first those that wait for a block. */
async function listTransactions(
  client: ServiceClient,
  address: string,
  since: Date,
  stop: AbortSignal,
): Promise<Transaction[]> {
  const found: Transaction[] = [];
  const list = z.array(Transaction).max(100);
  let path = `/address/${address}/txs`;
  for (let page = 0; page <= maxPages; page += 1) {
    const transactions = await client.get(path, list, stop);
    if (transactions === undefined) throw new ChainReplyError(`${client.host} does not accept an address.`);
    found.push(...transactions.filter(({ status }) => !status.confirmed || timeOf(status.block_time) >= since));
    const last = transactions.findLast(({ status }) => status.confirmed);
    if (!last?.status.confirmed || timeOf(last.status.block_time) < since) break;
    path = `/address/${address}/txs/chain/${last.txid}`;
  }
  return eachOnce(found);
}

/** A service may list one as waiting and in a block, or on two pages, while a block comes: the first in a block counts. */
function eachOnce(transactions: Transaction[]): Transaction[] {
  const byId = new Map<string, Transaction>();
  for (const one of transactions) {
    if (byId.get(one.txid)?.status.confirmed) continue;
    byId.delete(one.txid);
    byId.set(one.txid, one);
  }
  return [...byId.values()];
}

function seenFrom({ txid, vout, status }: Transaction, destination: string, tip: number): ChainTransaction {
  const own = normalAddress(destination);
  let satoshi = decimal("0");
  const others: string[] = [];
  for (const { scriptpubkey_address: address, value } of vout) {
    if (address == null) continue;
    if (normalAddress(address) === own) satoshi = satoshi.plus(String(value));
    else if (others.length < 3) others.push(address);
  }
  if (satoshi.gt(String(maxSatoshi))) throw new ChainReplyError("A transaction pays more than exists.");
  if (status.confirmed && status.block_height > tip) throw new ChainReplyError("A block is higher than the highest one.");
  return {
    id: txid,
    received: satoshi.div("100000000").toFixed(8),
    block: status.confirmed ? { at: timeOf(status.block_time), confirmations: tip - status.block_height + 1 } : undefined,
    isReverted: false,
    sender: undefined,
    elsewhere: satoshi.eq(0) ? others : [],
    isContractCall: false,
  };
}

/** Letter case means nothing in a segwit address (BIP 173), and something in the others. */
function normalAddress(address: string): string {
  return /^bc1/i.test(address) ? address.toLowerCase() : address;
}

const timeOf = (seconds: number): Date => new Date(seconds * 1000);
