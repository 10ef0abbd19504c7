import { randomBytes } from "node:crypto";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const genesisId = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";

interface StandInTransaction {
  txid: string;
  vout: { address: string; satoshi: number }[];
  height: number | undefined;
  time: number | undefined;
}

/** Replies in the documented shapes of Esplora's API (Blockstream/esplora, API.md) from a chain that a test makes up. */
export interface Esplora {
  url: string;
  /** The paths that were asked for. */
  asked: string[];
  /** Takes the place of the replies while it is set. */
  instead: RequestListener | undefined;
  /** Makes a transaction that waits for a block and returns its id. */
  pay(address: string, bitcoin: string): string;
  /** Adds blocks at a time; the first of them has the waiting transactions. */
  mine(blocks: number, at: Date): void;
  /** Forgets a transaction, as when it is replaced. */
  drop(txid: string): void;
  tip: number;
  stop(): Promise<void>;
}

export async function startEsplora(): Promise<Esplora> {
  const transactions: StandInTransaction[] = [];
  const server = createServer((request, reply) => {
    const url = request.url ?? "";
    esplora.asked.push(url);
    if (esplora.instead) return esplora.instead(request, reply);
    const result = replyTo(url.replace(/^\/api/, ""), transactions, esplora.tip);
    if (result === undefined) return void reply.writeHead(404, { "content-type": "text/plain" }).end("Transaction not found");
    json(reply, result);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const esplora: Esplora = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    asked: [],
    instead: undefined,
    tip: 900_000,
    pay(address, bitcoin) {
      const txid = randomBytes(32).toString("hex");
      const vout = [
        { address, satoshi: Math.round(Number(bitcoin) * 1e8) },
        { address: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", satoshi: 7 },
      ];
      transactions.unshift({ txid, vout, height: undefined, time: undefined });
      return txid;
    },
    mine(blocks, at) {
      for (const one of transactions.filter(({ height }) => height === undefined)) {
        one.height = esplora.tip + 1;
        one.time = Math.floor(at.getTime() / 1000);
      }
      esplora.tip += blocks;
    },
    drop(txid) {
      transactions.splice(
        transactions.findIndex((one) => one.txid === txid),
        1,
      );
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return esplora;
}

export function json(reply: ServerResponse, value: unknown): void {
  reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function replyTo(path: string, transactions: StandInTransaction[], tip: number): unknown {
  if (path === "/blocks/tip/height") return tip;
  if (path === "/blocks/0") return [{ id: genesisId, height: 0, version: 1, timestamp: 1231006505, tx_count: 1 }];
  const [, kind, name, , , last] = path.split("/");
  if (kind === "tx") {
    const found = transactions.find(({ txid }) => txid === name);
    return found && shapeOf(found);
  }
  if (kind !== "address") return undefined;
  const own = transactions.filter(({ vout }) => vout.some(({ address }) => address === name));
  const confirmed = own.filter(({ height }) => height !== undefined);
  if (path.endsWith("/txs"))
    return [...own.filter(({ height }) => height === undefined), ...confirmed.slice(0, 25)].map(shapeOf);
  if (last !== undefined) {
    const start = confirmed.findIndex(({ txid }) => txid === last) + 1;
    return confirmed.slice(start, start + 25).map(shapeOf);
  }
  const stats = (count: number) => ({
    funded_txo_count: count,
    funded_txo_sum: 0,
    spent_txo_count: 0,
    spent_txo_sum: 0,
    tx_count: count,
  });
  return { address: name, chain_stats: stats(confirmed.length), mempool_stats: stats(own.length - confirmed.length) };
}

/** A transaction with every field that the service sends. */
function shapeOf({ txid, vout, height, time }: StandInTransaction): unknown {
  const output = ({ address, satoshi }: StandInTransaction["vout"][number]) => ({
    scriptpubkey: "0014751e76e8199196d454941c45d1b3a323f1433bd6",
    scriptpubkey_asm: "OP_0 OP_PUSHBYTES_20 751e76e8199196d454941c45d1b3a323f1433bd6",
    scriptpubkey_type: "v0_p2wpkh",
    scriptpubkey_address: address,
    value: satoshi,
  });
  const spent = output({ address: "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh", satoshi: 2_000_000 });
  return {
    txid,
    version: 2,
    locktime: 0,
    vin: [
      {
        txid: "0".repeat(64),
        vout: 1,
        prevout: spent,
        scriptsig: "",
        scriptsig_asm: "",
        witness: [],
        is_coinbase: false,
        sequence: 4294967293,
      },
    ],
    vout: [
      ...vout.map(output),
      { scriptpubkey: "6a0474657374", scriptpubkey_asm: "OP_RETURN", scriptpubkey_type: "op_return", value: 0 },
    ],
    size: 222,
    weight: 561,
    sigops: 1,
    fee: 1410,
    status:
      height === undefined
        ? { confirmed: false }
        : { confirmed: true, block_height: height, block_hash: "0".repeat(64), block_time: time },
  };
}
