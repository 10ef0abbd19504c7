import { json as body } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { json, startEsplora, type Esplora } from "../../../../tests/support/chains/esplora.ts";
import { systemClock } from "../clock.ts";
import { noRateLimits } from "../http/rate-limit.ts";
import { openBitcoin } from "./bitcoin.ts";
import { openEthereum } from "./ethereum.ts";

let service: Esplora;
beforeAll(async () => void (service = await startEsplora()));
afterAll(() => service?.stop());

const settings = () => ({ address: service.url, budget: { name: "chain", points: 1, seconds: 1 }, limits: noRateLimits });
const { signal } = new AbortController();
const address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

// CHAIN-6
it("takes a transaction of Bitcoin once that is listed as waiting and in a block", async () => {
  const since = new Date("2026-11-22T12:00:00.000Z");
  const block = { confirmed: true, block_height: 899_998, block_time: since.getTime() / 1000 };
  const listed = (txid: string, status: object) => ({ txid, vout: [{ scriptpubkey_address: address, value: 5 }], status });
  const [older, newer, again] = ["1".repeat(64), "2".repeat(64), "3".repeat(64)];
  service.instead = (incoming, reply) => {
    if (incoming.url?.endsWith("/tip/height")) return json(reply, 900_000);
    if (!incoming.url?.endsWith("/txs")) return json(reply, incoming.url?.endsWith("/blocks/0") ? genesis : []);
    const waits = { confirmed: false };
    json(reply, [
      listed(older, waits),
      listed(again, waits),
      listed(newer, block),
      listed(again, block),
      listed(older, block),
      listed(again, waits),
    ]);
  };
  const found = await openBitcoin(settings()).reader(signal).paymentsTo(address, since);
  expect(found.map(({ id, block: inBlock }) => [id, inBlock?.confirmations])).toEqual([
    [newer, 3],
    [again, 3],
    [older, 3],
  ]);
});

const genesis = [{ id: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f" }];

it("takes a transfer of Ether once that is listed twice in its block", async () => {
  const to = "0x00000000000000000000000000000000000000aa";
  const transfer = { hash: `0x${"1".repeat(64)}`, from: to.replace("aa", "bb"), to, value: "0xde0b6b3a7640000" };
  const other = { ...transfer, hash: `0x${"2".repeat(64)}` };
  const block = { number: "0x5", hash: transfer.hash, parentHash: transfer.hash, timestamp: "0x6a000000" };
  const replyTo = (asked: unknown): unknown =>
    (asked as { method: string }).method === "eth_chainId" ? "0x1" : { ...block, transactions: [transfer, other, transfer] };
  service.instead = (incoming, reply) => void body(incoming).then((asked) => json(reply, { result: replyTo(asked) }));
  const { transfers } = await openEthereum({ ...settings(), clock: systemClock })
    .reader(signal)
    .block(5, new Set([to]));
  expect(transfers.map(({ id }) => id)).toEqual([transfer.hash, other.hash]);
});
