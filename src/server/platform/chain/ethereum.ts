import * as z from "zod";
import { decimal } from "#domain/money";
import { secondsAfter, type Clock } from "../clock.ts";
import { ChainReplyError, ChainServiceError, type ChainReader, type ChainService, type ChainTransaction } from "./chain.ts";
import { ServiceClient, type ServiceClientSettings } from "./service-client.ts";

/** Of the main network (EIP-155). */
const mainNetwork = "0x1";

/** Seconds: a node whose newest block is older has stopped, or is still catching up. */
const oldestTipSeconds = 600;

/** Replies by which nodes say that they are asked too often. */
const overloadedCodes = new Set([-32005, 429]);

const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase());
const account = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i)
  .transform((text) => text.toLowerCase());
/** A quantity of at most 256 bits (Ethereum JSON-RPC, hexadecimal encoding). */
const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform((text) => BigInt(text));
const blockNumber = quantity.refine((number) => number < 2n ** 40n).transform(Number);
const blockTime = quantity.refine((seconds) => seconds < 2n ** 33n).transform((seconds) => new Date(Number(seconds) * 1000));

const Header = z.object({ number: blockNumber, hash, parentHash: hash, timestamp: blockTime });
const Transfer = z.object({ hash, from: account, to: account.nullish(), value: quantity });
const Block = Header.extend({ transactions: z.array(Transfer).max(100_000) });
const Transaction = Transfer.extend({ input: z.string(), blockNumber: blockNumber.nullish(), blockHash: hash.nullish() });
const Receipt = z.object({ transactionHash: hash, blockHash: hash, status: z.enum(["0x0", "0x1"]) });

const reply = <Result>(result: z.ZodType<Result>) =>
  z.union([z.object({ error: z.object({ code: z.number() }) }), z.object({ result: result.nullable() })]);

/** A block without its transactions. */
export interface BlockHeader {
  number: number;
  id: string;
  parentId: string;
  at: Date;
}

/** Ether that a transaction sends to an account by itself; what a contract sends on is not listed. */
export interface Transfer {
  id: string;
  sender: string;
  destination: string;
  /** A decimal with 8 places, less is cut off. */
  amount: string;
}

export interface EthereumReader extends ChainReader {
  /** Returns the newest block. Throws `ChainServiceError` where that is older than ten minutes. */
  tip(): Promise<BlockHeader>;
  header(number: number): Promise<BlockHeader>;
  /** Returns a block with its transfers to any of the destinations. They may have been reverted. */
  block(number: number, destinations: ReadonlySet<string>): Promise<BlockHeader & { transfers: Transfer[] }>;
}

/** Reads Ethereum's main network by the JSON-RPC of a node. */
export function openEthereum({ clock, ...settings }: ServiceClientSettings & { clock: Clock }): ChainService<EthereumReader> {
  const client = new ServiceClient(settings);
  let isMainNetwork = false;

  return {
    reader(stop) {
      const call = async <Result>(method: string, params: unknown[], result: z.ZodType<Result>): Promise<Result | null> => {
        if (!isMainNetwork) {
          const network = await rpc(client, "eth_chainId", [], z.string(), stop);
          if (network !== mainNetwork) {
            throw new ChainServiceError("wrong_network", `${client.host} is not on Ethereum's main network.`);
          }
          isMainNetwork = true;
        }
        return rpc(client, method, params, result, stop);
      };
      const headerOf = async (tag: string): Promise<BlockHeader> =>
        headerView(required(await call("eth_getBlockByNumber", [tag, false], Header)));
      const reader: EthereumReader = {
        async tip() {
          const tip = await headerOf("latest");
          if (tip.at >= secondsAfter(clock.now(), -oldestTipSeconds)) return tip;
          throw new ChainServiceError("behind", `${client.host} has no block of the last ten minutes.`);
        },
        header: (number) => headerOf(hex(number)),
        async block(number, destinations) {
          const block = required(await call("eth_getBlockByNumber", [hex(number), true], Block));
          if (block.number !== number) throw new ChainReplyError("The node replied with another block.");
          const transfers = block.transactions.flatMap(({ hash: id, from: sender, to, value }) =>
            to != null && destinations.has(to) && value > 0n ? [{ id, sender, destination: to, amount: ether(value) }] : [],
          );
          // One that is listed twice was sent once.
          return { ...headerView(block), transfers: [...new Map(transfers.map((one) => [one.id, one])).values()] };
        },
        async findTransaction(id, destination) {
          const found = await call("eth_getTransactionByHash", [id], Transaction);
          if (found === null) {
            // A node that is behind does not have it yet.
            await reader.tip();
            return undefined;
          }
          if (found.hash !== id) throw new ChainReplyError("The node replied with another transaction.");
          const receipt = found.blockNumber == null ? null : await call("eth_getTransactionReceipt", [id], Receipt);
          if (receipt !== null && receipt.transactionHash !== id) {
            throw new ChainReplyError("The node replied with another receipt.");
          }
          const block = receipt === null ? undefined : await confirmedBy(reader, found.blockNumber!, receipt.blockHash);
          return seenFrom(found, destination, block, receipt?.status === "0x0");
        },
      };
      return reader;
    },
  };
}

async function rpc<Result>(
  client: ServiceClient,
  method: string,
  params: unknown[],
  result: z.ZodType<Result>,
  stop: AbortSignal,
): Promise<Result | null> {
  const replied = await client.post({ jsonrpc: "2.0", id: 1, method, params }, reply(result), stop);
  if (replied === undefined) throw new ChainServiceError("unreachable", `${client.host} has no JSON-RPC at this path.`);
  if (!("error" in replied)) return replied.result;
  const { code } = replied.error;
  if (overloadedCodes.has(code)) throw new ChainServiceError("overloaded", `${client.host} refuses with code ${code}.`);
  throw new ChainReplyError(`${client.host} refuses ${method} with code ${code}.`);
}

function required<Result>(result: Result | null): Result {
  if (result === null) throw new ChainReplyError("The node does not have a block that must exist.");
  return result;
}

/** Returns the block of a receipt; undefined when the chain was reorganised meanwhile, and the transaction waits again. */
async function confirmedBy(reader: EthereumReader, number: number, id: string): Promise<ChainTransaction["block"]> {
  const block = await reader.header(number);
  if (block.id !== id) return undefined;
  const tip = await reader.tip();
  if (tip.number < number) throw new ChainReplyError("A block is higher than the highest one.");
  return { at: block.at, confirmations: tip.number - number + 1 };
}

function seenFrom(
  { hash: id, from: sender, to, value, input }: z.infer<typeof Transaction>,
  destination: string,
  block: ChainTransaction["block"],
  isReverted: boolean,
): ChainTransaction {
  const isOurs = to === destination.toLowerCase();
  return {
    id,
    received: isOurs && !isReverted ? ether(value) : "0.00000000",
    block,
    isReverted: block !== undefined && isReverted,
    sender,
    elsewhere: isOurs || to == null ? [] : [to],
    isContractCall: !isOurs && input !== "0x",
  };
}

const headerView = ({ number, hash: id, parentHash: parentId, timestamp: at }: z.infer<typeof Header>): BlockHeader => ({
  number,
  id,
  parentId,
  at,
});

/** Returns wei as ether with 8 places; less is cut off, so that a payment which is short by one wei is short. */
const ether = (wei: bigint): string =>
  decimal((wei / 10n ** 10n).toString())
    .div("100000000")
    .toFixed(8);

const hex = (number: number): string => `0x${number.toString(16)}`;
