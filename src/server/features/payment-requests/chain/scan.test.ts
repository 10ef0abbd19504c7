// Over 250 lines: every way in which the reading goes back or on, against one chain in memory.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ChainReplyError, ChainServiceError } from "#server/platform/chain/chain";
import type { BlockHeader, EthereumReader, Transfer } from "#server/platform/chain/ethereum";
import { secondsAfter } from "#server/platform/clock";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { hash } from "../../../../../tests/support/chains/hash.ts";
import { pay } from "../../../../../tests/support/payments.ts";
import { student } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { insertLookup } from "./queries.ts";
import { areBlocksRead, scanBlocks } from "./scan.ts";
import { claimScan } from "./scan-queries.ts";

const destination = "0x00000000000000000000000000000000000000aa";
const slotSeconds = 12;
const tip = 20_000;

let app: TestApp;
let requests: string[];
/** The time of the newest block. */
let tipAt: Date;
beforeAll(async () => {
  ({ app } = await startShop());
  const buyer = async () => (await pay(await student(app), { crypto_type: "ethereum" })).body.id;
  requests = [await buyer(), await buyer()];
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.sql("delete from chain_lookups");
  await app.sql("delete from ethereum_transfers");
  await app.sql("delete from ethereum_destinations");
  await app.sql("update ethereum_scan set next_block = null, last_block_id = null, due_at = null, tip_at = null");
  tipAt = app.clock.now();
});

const timeOf = (number: number): Date => secondsAfter(tipAt, (number - tip) * slotSeconds);

/** A chain in memory, and the numbers of the blocks that were read of it. */
class Blocks implements EthereumReader {
  readonly read: number[] = [];
  newest = tip;
  /** Blocks from this one on are others than before. */
  forkedAt = Infinity;
  failsAt = -1;
  /** The node has no block before this one. */
  oldest = 0;
  transfers = new Map<number, Transfer[]>();

  #idOf(number: number): string {
    return hash((number >= this.forkedAt ? 2 ** 40 : 0) + number);
  }

  header(number: number): Promise<BlockHeader> {
    if (number < this.oldest) return Promise.reject(new ChainReplyError("pruned history unavailable"));
    return Promise.resolve({ number, id: this.#idOf(number), parentId: this.#idOf(number - 1), at: timeOf(number) });
  }

  tip(): Promise<BlockHeader> {
    return this.header(this.newest);
  }

  async block(number: number): Promise<BlockHeader & { transfers: Transfer[] }> {
    if (number === this.failsAt) throw new ChainServiceError("unreachable", "no reply");
    this.read.push(number);
    return { ...(await this.header(number)), transfers: this.transfers.get(number) ?? [] };
  }

  findTransaction(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

const awaitSince = (request: number, since: Date, to = destination): Promise<void> =>
  insertLookup(app.deps.db, {
    request_id: requests[request]!,
    coin: "ethereum",
    destination: to,
    since,
    next_at: app.clock.steady(),
  });
const scan = (blocks: Blocks): Promise<void> => scanBlocks(app.deps, blocks);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
async function progress() {
  const [row] = await app.sql<{ next_block: string; due_at: Date | null }>("select next_block, due_at from ethereum_scan");
  return { next: Number(row!.next_block), dueAt: row!.due_at };
}

/** The blocks that a run reads. */
async function readBy(blocks: Blocks): Promise<number[]> {
  blocks.read.length = 0;
  await scan(blocks);
  return [...blocks.read];
}

// CHAIN-4
describe("reading the blocks of Ethereum", () => {
  it("asks for nothing while no request waits for a payment", async () => {
    const blocks = new Blocks();
    const asked = [vi.spyOn(blocks, "tip"), vi.spyOn(blocks, "header"), vi.spyOn(blocks, "block")];
    await scan(blocks);
    for (const question of asked) expect(question).not.toHaveBeenCalled();
    expect(await progress()).toEqual({ next: 0, dueAt: null });
  });

  it("begins half a minute before the quote, and goes on after a minute", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 5), 30));
    expect(await readBy(blocks)).toEqual(range(tip - 5, tip));
    expect(await progress()).toEqual({ next: tip + 1, dueAt: secondsAfter(app.clock.steady(), 60) });
    blocks.newest = tip + 2;
    app.clock.advance(59);
    expect(await readBy(blocks)).toEqual([]);
    app.clock.advance(1);
    expect(await readBy(blocks)).toEqual([tip + 1, tip + 2]);
    app.clock.advance(60);
    expect(await readBy(blocks)).toEqual([]);
  });

  it("reads 70 blocks at a time, and the rest at once", async () => {
    const blocks = new Blocks();
    await awaitSince(0, timeOf(tip - 99));
    const first = await readBy(blocks);
    expect(first).toHaveLength(70);
    expect((await progress()).dueAt).toBeNull();
    expect([...first, ...(await readBy(blocks))]).toEqual(range(first[0]!, tip));
    expect((await progress()).dueAt).not.toBeNull();
  });

  it("keeps every five blocks that were read when the node fails", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 29), 30));
    blocks.failsAt = tip - 29 + 17;
    await expect(scan(blocks)).rejects.toThrow("no reply");
    expect(await progress()).toEqual({ next: tip - 29 + 15, dueAt: null });
    blocks.failsAt = -1;
    expect(await readBy(blocks)).toEqual(range(tip - 14, tip));
  });

  it("counts as done at the newest block, for three minutes", async () => {
    const blocks = new Blocks();
    const other = destination.replace("aa", "dd");
    const since = timeOf(tip - 99);
    const isRead = (from = since, to = destination): Promise<boolean> => areBlocksRead(app.deps, to, from);
    await awaitSince(0, since);
    await scan(blocks);
    expect(await isRead()).toBe(false);
    await scan(blocks);
    const read = [isRead(), isRead(secondsAfter(since, 1)), isRead(secondsAfter(since, -1)), isRead(since, other)];
    expect(await Promise.all(read)).toEqual([true, true, false, false]);
    app.clock.advance(180);
    expect(await isRead()).toBe(true);
    app.clock.advance(1);
    expect(await isRead()).toBe(false);

    await scan(blocks);
    expect(await isRead()).toBe(true);
    await awaitSince(1, since, other);
    app.clock.advance(60);
    await scan(blocks);
    expect(await isRead(since, other)).toBe(false);
    await scan(blocks);
    expect(await isRead(since, other)).toBe(true);
  });

  it("counts as done since what is kept where the quote is older", async () => {
    await awaitSince(0, secondsAfter(app.clock.now(), -91 * 24 * 3600));
    const blocks = new Blocks();
    blocks.newest = 5;
    await scan(blocks);
    expect(await areBlocksRead(app.deps, destination, new Date(0))).toBe(true);
  });

  it("is left to the process that reads, for a minute", async () => {
    await awaitSince(0, timeOf(tip));
    const now = app.clock.steady();
    expect(await claimScan(app.deps.db, now, secondsAfter(now, 60))).toBeDefined();
    app.clock.advance(59);
    expect(await readBy(new Blocks())).toEqual([]);
    app.clock.advance(1);
    expect(await readBy(new Blocks())).toContain(tip);
  });

  it("takes what was stored while the clock was ahead for nothing", async () => {
    await awaitSince(0, timeOf(tip - 9));
    const setAhead = (seconds: number) =>
      app.sql("update ethereum_scan set due_at = $1, tip_at = $1", [secondsAfter(app.clock.steady(), seconds)]);
    const isRead = (): Promise<boolean> => areBlocksRead(app.deps, destination, timeOf(tip));
    const blocks = new Blocks();
    await scan(blocks);
    blocks.newest += 1;
    await setAhead(300);
    expect([await isRead(), await readBy(blocks)]).toEqual([true, []]);
    await setAhead(541);
    expect([await isRead(), await readBy(blocks), await isRead()]).toEqual([false, [tip + 1], true]);
  });

  it.each(["tip", "block"] as const)("leaves the cursor to the run that took over before a late %s", async (late) => {
    const [blocks, others] = [new Blocks(), new Blocks()];
    await awaitSince(0, secondsAfter(timeOf(tip - 5), 30));
    const takeOver = async (): Promise<void> => {
      app.clock.advance(240);
      await awaitSince(1, secondsAfter(timeOf(tip - 99), 30), destination.replace("aa", "dd"));
      await scan(others);
    };
    vi.spyOn(blocks, late).mockImplementationOnce(async () => {
      await takeOver();
      return { ...(await blocks.header(late === "tip" ? tip : tip - 5)), transfers: [] };
    });
    await expect(scan(blocks)).rejects.toMatchObject({ name: "ChainWaitError", retryAfter: 15 });
    expect(await progress()).toEqual({ next: tip - 29, dueAt: null });
  });

  it("reads 64 blocks again after a reorganisation", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 65), 30));
    await scan(blocks);
    blocks.forkedAt = tip - 3;
    blocks.newest = tip + 1;
    app.clock.advance(60);
    expect(await readBy(blocks)).toEqual([tip + 1, ...range(tip + 1 - 64, tip + 1)]);
    expect((await progress()).next).toBe(tip + 2);
  });

  it("reads from its start a chain that is shorter than 64 blocks", async () => {
    const blocks = new Blocks();
    blocks.newest = 5;
    await awaitSince(0, timeOf(3));
    await scan(blocks);
    [blocks.forkedAt, blocks.newest] = [2, 6];
    app.clock.advance(60);
    expect(await readBy(blocks)).toEqual([6, ...range(0, 6)]);
  });

  it("goes back for a quote that is older than what was read, for no other", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 5), 30));
    await scan(blocks);
    app.clock.advance(60);
    await awaitSince(1, secondsAfter(timeOf(tip - 2), 30));
    expect(await readBy(blocks)).toEqual([]);
    await app.sql("delete from chain_lookups where request_id = $1", [requests[1]]);
    app.clock.advance(60);
    await awaitSince(1, secondsAfter(timeOf(tip - 8), 30));
    expect(await readBy(blocks)).toEqual(range(tip - 8, tip));
    const read = await app.sql<{ read_since: Date }>("select read_since from ethereum_destinations");
    expect(read).toEqual([{ read_since: secondsAfter(timeOf(tip - 8), 30) }]);
  });

  it("goes back for an older quote also when the node fails at first", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 5), 30));
    await scan(blocks);
    app.clock.advance(60);
    await awaitSince(1, secondsAfter(timeOf(tip - 8), 30));
    blocks.failsAt = tip - 8 + 2;
    await expect(scan(blocks)).rejects.toThrow("no reply");
    blocks.failsAt = -1;
    expect(await readBy(blocks)).toEqual(range(tip - 8, tip));
  });

  it("reads for a destination that is awaited again the blocks since without it", async () => {
    const other = destination.replace("aa", "dd");
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 5), 30));
    await awaitSince(1, secondsAfter(timeOf(tip - 5), 30), other);
    await scan(blocks);
    await app.sql("delete from chain_lookups where request_id = $1", [requests[0]]);
    blocks.newest = tip + 9;
    app.clock.advance(60);
    expect(await readBy(blocks)).toEqual(range(tip + 1, tip + 9));
    app.clock.advance(60);
    await awaitSince(0, secondsAfter(timeOf(tip + 4), 30));
    expect(await readBy(blocks)).toEqual(expect.arrayContaining(range(tip + 4, tip + 9)));
  });

  it("reads nothing again for a new destination beside an old one that was read", async () => {
    const other = destination.replace("aa", "dd");
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 50), 30));
    await scan(blocks);
    blocks.newest = tip + 9;
    app.clock.advance(60);
    await awaitSince(1, secondsAfter(timeOf(tip + 4), 30), other);
    expect(await readBy(blocks)).toEqual(range(tip + 1, tip + 9));
    await app.sql("delete from chain_lookups where request_id = $1", [requests[1]]);
    app.clock.advance(60);
    await scan(blocks);
    await awaitSince(1, secondsAfter(timeOf(tip + 7), 30), other);
    app.clock.advance(60);
    expect(await readBy(blocks)).toEqual(range(tip + 7, tip + 9));
    expect(await app.sql("select read_since from ethereum_destinations order by destination")).toEqual([
      { read_since: secondsAfter(timeOf(tip - 50), 30) },
      { read_since: secondsAfter(timeOf(tip + 7), 30) },
    ]);
  });

  it("goes on from where it was for a new destination while it is a day behind", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 7500), 30));
    await scan(blocks);
    await awaitSince(1, secondsAfter(timeOf(tip - 5), 30), destination.replace("aa", "dd"));
    expect(await readBy(blocks)).toEqual(range(tip - 7430, tip - 7361));
  });

  it("waits for a node that has not got the newest blocks yet", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 5), 30));
    await scan(blocks);
    for (const newest of [tip - 3, tip + 1]) {
      blocks.newest = newest;
      app.clock.advance(60);
      expect(await readBy(blocks)).toEqual(newest > tip ? [newest] : []);
    }
  });

  it("asks a node without old blocks for none of them", async () => {
    const blocks = new Blocks();
    blocks.oldest = tip - 8;
    await awaitSince(0, secondsAfter(timeOf(tip - 5), 30));
    expect(await readBy(blocks)).toEqual(range(tip - 5, tip));
  });

  it("goes on at once where one block is left", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 70), 30));
    expect(await readBy(blocks)).toEqual(range(tip - 70, tip - 1));
    expect(await readBy(blocks)).toEqual([tip]);
  });

  // KEEP-1
  it("reads the blocks of the last 90 days at most", async () => {
    const blocks = new Blocks();
    blocks.newest = 700_000;
    tipAt = secondsAfter(app.clock.now(), (tip - blocks.newest) * slotSeconds);
    const first = blocks.newest - (90 * 24 * 3600 + 30) / slotSeconds;
    await awaitSince(0, timeOf(0));
    expect((await readBy(blocks))[0]).toBe(Math.ceil(first));
    app.clock.advance(60);
    expect((await readBy(blocks))[0]).toBe(Math.ceil(first) + 70);
  });

  it("reads on from where it was for a quote of more than a day ago", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 7500), 30));
    expect(await readBy(blocks)).toEqual(range(tip - 7500, tip - 7431));
    expect(await readBy(blocks)).toEqual(range(tip - 7430, tip - 7361));
  });

  it("skips the blocks between when it is a day behind", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 1), 30));
    await scan(blocks);
    await app.sql("delete from chain_lookups");
    for (const [newest, from] of [
      [tip + 1 + 7200, tip + 1],
      [tip + 1 + 7201 + 200, tip + 1 + 7201 + 200 - 4],
    ] as const) {
      await app.sql("update ethereum_scan set due_at = null, next_block = $1, last_block_id = null", [
        from === tip + 1 ? from : tip + 201,
      ]);
      blocks.newest = newest;
      await app.sql("delete from chain_lookups");
      await awaitSince(0, secondsAfter(timeOf(newest - 4), 30));
      expect((await readBy(blocks))[0]).toBe(from);
    }
  });

  it("goes back to blocks that it has skipped, for a quote of that time", async () => {
    const blocks = new Blocks();
    await awaitSince(0, secondsAfter(timeOf(tip - 1), 30));
    await scan(blocks);
    await app.sql("delete from chain_lookups");
    blocks.newest = tip + 9000;
    await awaitSince(0, secondsAfter(timeOf(tip + 8999), 30));
    app.clock.advance(60);
    expect(await readBy(blocks)).toEqual([tip + 8999, tip + 9000]);
    await awaitSince(1, secondsAfter(timeOf(tip + 8990), 30));
    app.clock.advance(60);
    expect(await readBy(blocks)).toEqual(range(tip + 8990, tip + 9000));
  });

  it("stores transfers with the time of their block, anew when it is read again", async () => {
    const blocks = new Blocks();
    const transfer = { id: hash(7), sender: destination.replace("aa", "bb"), destination, amount: "0.5" };
    blocks.transfers.set(tip - 1, [transfer]);
    await awaitSince(0, secondsAfter(timeOf(tip - 3), 30));
    await scan(blocks);
    blocks.transfers = new Map([[tip, [transfer]]]);
    await app.sql("update ethereum_scan set due_at = null, next_block = $1, last_block_id = null", [tip]);
    await scan(blocks);
    const rows = await app.sql("select transaction_id, sender, amount, at from ethereum_transfers");
    const { id, sender, amount } = transfer;
    expect(rows).toEqual([{ transaction_id: id, sender, amount, at: timeOf(tip) }]);
  });
});
