import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const binary = join(dirname(createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json")), "bin.mjs");

/** A real Ethereum node whose accounts are rich, and whose blocks come when a test says so. */
export interface Anvil {
  url: string;
  /** Unlocked accounts with 10,000 ether each. */
  accounts: string[];
  rpc(method: string, ...params: unknown[]): Promise<any>;
  /** Sends ether and returns the transaction's id; it waits for the next block. */
  send(to: string, ether: string, fields?: Record<string, string>): Promise<string>;
  mine(blocks?: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startAnvil(chainId = 1): Promise<Anvil> {
  const options = ["--port", "0", "--chain-id", String(chainId), "--no-mining", "--host", "127.0.0.1"];
  const child = spawn(process.execPath, [binary, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const url = `http://${await listeningAddress(child)}`;
  const rpc = async (method: string, ...params: unknown[]): Promise<any> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { result, error } = await reply.json();
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const accounts = await rpc("eth_accounts");
  return {
    url,
    accounts,
    rpc,
    send: (to, ether, fields = {}) =>
      rpc("eth_sendTransaction", { from: accounts[0], to, value: `0x${weiOf(ether).toString(16)}`, gas: "0x186a0", ...fields }),
    mine: (blocks = 1) => rpc("anvil_mine", `0x${blocks.toString(16)}`),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function listeningAddress(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const address = /^Listening on (\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout!.resume();
    return address;
  }
  throw new Error("Anvil ended before it listened.");
}

/** Returns a decimal of ether in wei. */
export function weiOf(ether: string): bigint {
  const [whole = "0", decimals = ""] = ether.split(".");
  return BigInt(whole + decimals.padEnd(18, "0"));
}
