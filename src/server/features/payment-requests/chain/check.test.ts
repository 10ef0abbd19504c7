import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ChainWaitError, ChainReplyError, ChainServiceError } from "#server/platform/chain/chain";
import { findService } from "#server/platform/chain/service-state";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { startEsplora, type Esplora } from "../../../../../tests/support/chains/esplora.ts";
import { hash } from "../../../../../tests/support/chains/hash.ts";
import { chainEvidenceOf, lookUpDue } from "../../../../../tests/support/chains/jobs.ts";
import { pay, walletForm } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { findPaymentRequest } from "../read.ts";
import { checkPaymentRequest } from "./check.ts";

let esplora: Esplora;
let app: TestApp;
let operator: Person;
const environment = (): Record<string, string> => ({ BITCOIN_API_URL: esplora.url });
beforeAll(async () => {
  esplora = await startEsplora();
  ({ app, operator } = await startShop({ environment: environment() }));
});
afterAll(async () => {
  await app?.close();
  await esplora?.stop();
});

const due = "0.01104444";
const check = async (id: string): Promise<any> => (await operator.call("POST", `/api/payment-requests/${id}/check`)).body;
const chainOf = (body: any): any => body.evidence.find(({ kind }: { kind: string }) => kind === "chain");
const request = async (extra = {}): Promise<string> => (await pay(await student(app), { extra })).body.id;
const unreachable: RequestListener = (incoming) => incoming.socket.destroy();
const senseless: RequestListener = (_incoming, reply) => reply.end("<html>");

// CHAIN-7
describe("a check by the admin", () => {
  it("looks at once and returns the whole request", async () => {
    const id = await request({ reference: esplora.pay(walletForm.bitcoin_address, due) });
    esplora.mine(3, app.clock.now());
    const checked = await check(id);
    expect(chainOf(checked)).toMatchObject({ verdict: "matched" });
    expect(checked).toEqual((await operator.call("GET", `/api/payment-requests/${id}`)).body);
    esplora.mine(1, app.clock.now());
    expect(chainOf(await check(id)).details).toMatchObject({ confirmations: 4 });
  });

  it("looks at a rejected request, without scheduling further looks", async () => {
    const id = await request({ reference: esplora.pay(walletForm.bitcoin_address, due) });
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." });
    expect(chainOf(await check(id))).toMatchObject({ verdict: "unconfirmed" });
    expect(await app.sql("select next_at from chain_lookups where request_id = $1", [id])).toEqual([{ next_at: null }]);
  });

  // CHAIN-3, REOPEN-5
  it("that fails leaves a rejected request alone until it is reopened", async () => {
    const reference = esplora.pay(walletForm.bitcoin_address, due);
    const asked = (): number => esplora.asked.filter((path) => path.endsWith(reference)).length;
    const id = await request({ reference });
    await operator.call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." });
    for (const [index, instead] of [unreachable, senseless].entries()) {
      esplora.instead = instead;
      expect(chainOf(await check(id))).toMatchObject({ verdict: "unavailable" });
      esplora.instead = undefined;
      app.clock.advance(120);
      await lookUpDue(app);
      expect(asked()).toBe(index + 1);
    }
    expect(await app.sql("select next_at from chain_lookups where request_id = $1", [id])).toEqual([{ next_at: null }]);
    await operator.call("POST", `/api/payment-requests/${id}/reopen`, { reason: "It may have arrived." });
    await lookUpDue(app);
    expect(await chainEvidenceOf(operator, id)).toMatchObject({ verdict: "unconfirmed" });
  });

  it("changes nothing of a request without a chain, and refuses an unknown one", async () => {
    const { body } = await pay(await student(app), { crypto_type: "thai_bank" });
    // No service for this coin is set.
    const ether = await pay(await student(app), { crypto_type: "ethereum" });
    const state = () =>
      Promise.all(["payment_requests", "chain_lookups"].map((table) => app.sql(`select * from ${table} order by 1`)));
    const before = await state();
    expect(chainOf(await check(body.id))).toBeUndefined();
    expect(chainOf(await check(ether.body.id))).toMatchObject({ verdict: "off" });
    expect(await state()).toEqual(before);
    const lookups = "select 1 from chain_lookups where request_id in ($1, $2)";
    expect(await app.sql(lookups, [body.id, ether.body.id])).toEqual([]);
    expect(await check(randomUUID())).toMatchObject({ code: "payment_request_not_found" });
  });

  it("says that the service does not answer", async () => {
    const id = await request({ reference: "7".repeat(64) });
    esplora.instead = unreachable;
    expect(chainOf(await check(id))).toMatchObject({ verdict: "unavailable", text: "The chain service does not answer." });
    esplora.instead = undefined;
    expect(chainOf(await check(id))).toMatchObject({ verdict: "not_found" });
  });
});

// CHAIN-6
it("a check that is too short for a slow service is no outage of it", async () => {
  const reference = "7".repeat(64);
  const [id, other] = [await request({ reference }), await request({ reference: "8".repeat(64) })];
  await lookUpDue(app);
  const time = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(time.signal);
  esplora.instead = () => time.abort();
  expect(chainOf(await check(id))).toMatchObject({ verdict: "not_found" });
  expect(time.signal.aborted).toBe(true);
  timeout.mockRestore();
  esplora.instead = undefined;
  expect(await chainEvidenceOf(operator, other)).toMatchObject({ verdict: "not_found" });
  expect(await findService(app.deps.db, "bitcoin")).toMatchObject({ failures: 0, closed_until: null });
  const asked = esplora.asked.length;
  await lookUpDue(app);
  expect(esplora.asked.slice(asked)).toContain(`/api/tx/${reference}`);
});

// CHAIN-4, CHAIN-6
describe("a payment in ether whose node fails", () => {
  const faultsOf = [
    [new ChainServiceError("unreachable", "no reply"), "The chain service does not answer."],
    [new ChainReplyError("nonsense"), "The chain service answered with something that makes no sense."],
    [new ChainWaitError("used up", 5), "The payment is being looked up."],
  ] as const;
  const depsWith = (fault: Error): TestApp["deps"] => {
    const reply = (): Promise<never> => Promise.reject(fault);
    const reader = { findTransaction: reply, tip: reply, header: reply, block: reply };
    return { ...app.deps, chains: { bitcoin: undefined, ethereum: { reader: () => reader } } };
  };
  const payEther = async (): Promise<string> => {
    await app.sql("delete from chain_lookups");
    await app.sql("update ethereum_scan set due_at = null");
    await app.sql("update chain_services set failures = 0, failing_since = null, problem = null, closed_until = null");
    return (await pay(await student(app), { crypto_type: "ethereum" })).body.id;
  };
  const checkWith = async (fault: Error): Promise<any> => checkPaymentRequest(depsWith(fault), operator.id, await payEther());

  it.each(faultsOf)("is not said to be missing after a check: %s", async (fault, text) => {
    expect(chainOf(await checkWith(fault))).toMatchObject({ verdict: "unavailable", text });
  });

  it.each(faultsOf)("is not said to be missing by the job: %s", async (fault, text) => {
    const id = await payEther();
    const deps = depsWith(fault);
    const log = await lookUpDue({ ...app, deps });
    expect(log.some((line) => line.startsWith("Blocks of Ethereum wait"))).toBe(!(fault instanceof ChainWaitError));
    expect(chainOf(await findPaymentRequest(deps, id))).toMatchObject({ verdict: "unavailable", text });
  });

  it("is looked for where it was rejected among blocks read for others alone", async () => {
    const other = await payEther();
    const rejected = (await pay(await student(app), { crypto_type: "ethereum" })).body.id;
    await operator.call("POST", `/api/payment-requests/${rejected}/reject`, { reason: "Nothing has arrived." });
    const header = { number: 1, id: hash(1), parentId: hash(0), at: app.clock.now() };
    let tips = 0;
    const tip = async () => {
      tips += 1;
      return header;
    };
    const block = async (number: number) => ({ ...header, number, id: hash(number), transfers: [] });
    const reader = { tip, header: async () => header, block, findTransaction: async () => undefined };
    const deps = { ...app.deps, chains: { bitcoin: undefined, ethereum: { reader: () => reader } } };
    const verdictOf = async (id: string): Promise<string> => chainOf(await checkPaymentRequest(deps, operator.id, id)).verdict;
    const isScheduled = () => app.sql("select request_id from chain_lookups where next_at is not null");

    expect([await verdictOf(rejected), tips, await isScheduled()]).toEqual(["unavailable", 0, []]);
    expect([await verdictOf(other), tips]).toEqual(["not_found", 1]);
    expect([await verdictOf(rejected), tips]).toEqual(["not_found", 1]);
    expect(await isScheduled()).toEqual([{ request_id: other }]);
  });

  it("hides no fault of another kind", async () => {
    await expect(checkWith(new Error("the database"))).rejects.toThrow("the database");
  });
});

// CHAIN-2
describe("lookups of several processes", () => {
  it("are done once", async () => {
    const reference = esplora.pay(walletForm.bitcoin_address, due);
    await request({ reference });
    const beside = await startApp({ beside: app, environment: environment() });
    await Promise.all([lookUpDue(app), lookUpDue(beside)]);
    expect(esplora.asked.filter((path) => path.endsWith(reference))).toHaveLength(1);
    await beside.close();
  });

  it("go on when a process was killed while it looked", async () => {
    const id = await request({ reference: esplora.pay(walletForm.bitcoin_address, due) });
    await app.sql(
      "insert into chain_lookups select id, 'bitcoin', wallet_address, created_at, null, null, 0, 1, $2 from payment_requests where id = $1",
      [id, new Date(app.clock.steady().getTime() + 120_000)],
    );
    await lookUpDue(app);
    expect(await chainEvidenceOf(operator, id)).toMatchObject({ verdict: "unavailable" });
    app.clock.advance(121);
    await lookUpDue(app);
    expect(await chainEvidenceOf(operator, id)).toMatchObject({ verdict: "unconfirmed" });
  });

  it("drop what they found when the request was decided meanwhile", async () => {
    const id = await request({ reference: esplora.pay(walletForm.bitcoin_address, due) });
    esplora.instead = (_incoming, reply) => {
      esplora.instead = undefined;
      void operator
        .call("POST", `/api/payment-requests/${id}/reject`, { reason: "No." })
        .then(() => reply.writeHead(404).end());
    };
    await lookUpDue(app);
    expect(await app.sql("select facts, next_at from chain_lookups where request_id = $1", [id])).toEqual([
      { facts: null, next_at: null },
    ]);
  });
});
