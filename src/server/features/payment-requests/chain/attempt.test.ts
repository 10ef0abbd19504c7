import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChainWaitError, ChainReplyError, ChainServiceError } from "#server/platform/chain/chain";
import type { EthereumReader } from "#server/platform/chain/ethereum";
import { secondsAfter } from "#server/platform/clock";
import type { Connection } from "#server/platform/db/database";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { withoutIndexes } from "../../../../../tests/support/database/without-indexes.ts";
import { pay } from "../../../../../tests/support/payments.ts";
import { student } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { findById, type PaymentRequestRow } from "../queries.ts";
import { attemptLookup, signalOf, type Ends } from "./attempt.ts";
import { leaseEnd, scheduleLookup, type LookupParts } from "./look-up.ts";
import { claimDueLookup, claimLookup } from "./queries.ts";

let app: TestApp;
let request: PaymentRequestRow;
beforeAll(async () => {
  ({ app } = await startShop());
  const reference = `0x${"1".repeat(64)}`;
  const { body } = await pay(await student(app), { crypto_type: "ethereum", extra: { reference } });
  request = (await findById(app.deps.db, body.id))!;
  await scheduleLookup(app.deps, request, "ethereum");
});
afterAll(() => app?.close());

function partsThat(fail: Error): LookupParts {
  const reply = (): Promise<never> => Promise.reject(fail);
  const reader: EthereumReader = { findTransaction: reply, tip: reply, header: reply, block: reply };
  return { ...app.deps, chains: { bitcoin: undefined, ethereum: { reader: () => reader } } };
}

const going = (): Ends => ({ stop: new AbortController().signal, timeout: new AbortController().signal });

async function attempt(fail: Error, ends: Ends = going()): Promise<Error | undefined> {
  const lookup = (await claimLookup(app.deps.db, request.id, leaseEnd(app.clock)))!;
  return attemptLookup(partsThat(fail), lookup, ends);
}

async function stored() {
  const [row] = await app.sql<{ failures: number; next_at: Date }>("select failures, next_at from chain_lookups");
  return { failures: row!.failures, wait: (row!.next_at.getTime() - app.clock.steady().getTime()) / 1000 };
}

// CHAIN-6
describe("a lookup that fails", () => {
  it("waits twice as long each time, up to an hour, and is reported once", async () => {
    const fault = new ChainReplyError("nonsense");
    expect(await attempt(fault)).toBe(fault);
    const waits = [(await stored()).wait];
    for (let failures = 1; failures < 9; failures += 1) {
      expect(await attempt(fault)).toBeUndefined();
      waits.push((await stored()).wait);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    expect((await stored()).failures).toBe(9);
  });

  it("is due at once in the next process when this one stops", async () => {
    const before = await stored();
    const ends = { ...going(), stop: AbortSignal.abort() };
    expect(await attempt(new ChainServiceError("unreachable", "stopped"), ends)).toBeUndefined();
    expect(await stored()).toEqual({ failures: before.failures, wait: 0 });
  });

  it("counts no failure while it has to wait", async () => {
    const before = await stored();
    expect(await attempt(new ChainWaitError("used up", 7))).toBeUndefined();
    expect(await stored()).toEqual({ failures: before.failures, wait: 7 });
  });

  it("reports a service that does not answer once for its outage", async () => {
    const fault = new ChainServiceError("unreachable", "no reply");
    expect(await attempt(fault)).toBe(fault);
    expect(await attempt(fault)).toBeUndefined();
  });

  it("is tried again soon after an outage, and after ten minutes at most", async () => {
    const { failures } = await stored();
    const age = (app.clock.now().getTime() - request.created_at.getTime()) / 1000;
    app.clock.advance(40 - age);
    for (const [passed, wait] of [
      [0, 40],
      [40, 80],
      [520, 600],
      [600, 600],
    ] as const) {
      app.clock.advance(passed);
      await attempt(new ChainServiceError("unreachable", "no reply"));
      expect(await stored()).toEqual({ failures, wait });
    }
  });

  it("throws what is no fault of the chain, and leaves the lease", async () => {
    await expect(attempt(new Error("the database"))).rejects.toThrow("the database");
    expect((await stored()).wait).toBe(120);
  });

  it("is made for the one due the longest that nobody claims now", async () => {
    const buyer = async () => (await pay(await student(app), { crypto_type: "bitcoin" })).body.id;
    const ids = [await buyer(), await buyer(), await buyer()];
    const now = app.clock.steady();
    for (const [index, seconds] of [10, 30, 20].entries()) {
      await scheduleLookup(app.deps, (await findById(app.deps.db, ids[index]))!, "bitcoin");
      await app.sql("update chain_lookups set next_at = $2 where request_id = $1", [ids[index], secondsAfter(now, -seconds)]);
    }
    const claim = (db: Connection) => claimDueLookup(db, "bitcoin", { now, leaseEnd: leaseEnd(app.clock) });
    const claims = await withoutIndexes(app, async (tx) => [await claim(tx), await claim(app.deps.db)]);
    expect(claims.map((lookup) => lookup?.request_id)).toEqual([ids[1], ids[2]]);
    await app.sql("delete from chain_lookups where coin = 'bitcoin'");
  });

  it("does nothing for a request that is gone", async () => {
    const lookup = (await claimLookup(app.deps.db, request.id, secondsAfter(app.clock.steady(), 120)))!;
    const gone = { ...lookup, request_id: crypto.randomUUID() };
    expect(await attemptLookup(partsThat(new Error("asked")), gone, going())).toBeUndefined();
  });
});

it("ends a lookup by the stop of the process and by its time", () => {
  expect(signalOf(going()).aborted).toBe(false);
  expect(signalOf({ ...going(), stop: AbortSignal.abort() }).aborted).toBe(true);
  expect(signalOf({ ...going(), timeout: AbortSignal.abort() }).aborted).toBe(true);
});
