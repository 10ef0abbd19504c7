import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openBitcoin } from "#server/platform/chain/bitcoin";
import { storeServiceSuccess } from "#server/platform/chain/service-state";
import { noRateLimits, postgresRateLimits } from "#server/platform/http/rate-limit";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { json, startEsplora, type Esplora } from "../../../../../tests/support/chains/esplora.ts";
import { chainEvidenceOf, lookUpDue } from "../../../../../tests/support/chains/jobs.ts";
import { pay, walletForm } from "../../../../../tests/support/payments.ts";
import { admin, student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let esplora: Esplora;
let app: TestApp;
let operator: Person;
/** Where no reply is expected the timeout is short, elsewhere longer than a busy machine needs. */
const [short, long] = [1000, 60_000];
const settings = {
  address: "",
  budget: { name: "chain-bitcoin", points: 20, seconds: 10 },
  limits: noRateLimits,
  timeoutMs: long,
};

beforeAll(async () => {
  esplora = await startEsplora();
  const address = esplora.url.replace("http://", "http://shop:hidden-word@");
  const bitcoin = openBitcoin(Object.assign(settings, { address }));
  ({ app, operator } = await startShop({ parts: { chains: { bitcoin, ethereum: undefined } } }));
});
afterEach(async () => {
  esplora.instead = undefined;
  settings.timeoutMs = long;
  await app.sql("delete from payment_requests");
  await app.sql(
    "update chain_services set failures = 0, failing_since = null, problem = null, closed_until = null, asked_to_wait_until = null",
  );
});
afterAll(async () => {
  await app?.close();
  await esplora?.stop();
});

const due = "0.01104444";
const evidenceOf = (id: string): Promise<any> => chainEvidenceOf(operator, id);
const request = async (reference: string): Promise<string> => (await pay(await student(app), { extra: { reference } })).body.id;

/** Replies as usual, but changes what is said of a transaction. */
const lying =
  (change: (transaction: any) => unknown): RequestListener =>
  (incoming, reply) => {
    if (incoming.url?.endsWith("/tip/height")) return json(reply, 900_000);
    const confirmed = { confirmed: true, block_height: 899_990, block_hash: "0".repeat(64), block_time: 1_795_000_000 };
    const vout = [{ scriptpubkey_address: walletForm.bitcoin_address, value: 1_104_444 }];
    return json(reply, change({ txid: incoming.url?.split("/").at(-1), vout, status: confirmed }));
  };

/** Compressed, so that both ends of it take no part of the time that a busy machine has for the reply. */
const tooLong = gzipSync(JSON.stringify("x".repeat(17 * 1024 ** 2)));

const unanswered: RequestListener = () => {};
const faults: [what: string, listener: RequestListener, says: string][] = [
  ["hangs", unanswered, "does not answer"],
  ["closes the connection", (incoming) => incoming.socket.destroy(), "does not answer"],
  ["fails", (_incoming, reply) => reply.writeHead(502).end(), "does not answer"],
  [
    "redirects to another host",
    (_incoming, reply) => reply.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
    "does not answer",
  ],
  ["refuses the question", (_incoming, reply) => reply.writeHead(400).end("Invalid hex string"), "makes no sense"],
  ["sends a page of HTML", (_incoming, reply) => reply.end("<html>hidden-word</html>"), "makes no sense"],
  ["sends 17 MB", (_incoming, reply) => reply.writeHead(200, { "content-encoding": "gzip" }).end(tooLong), "makes no sense"],
  ["sends null", lying(() => null), "makes no sense"],
  ["sends another transaction", lying((one) => ({ ...one, txid: "1".repeat(64) })), "makes no sense"],
  ["sends a negative amount", lying((one) => ({ ...one, vout: [{ ...one.vout[0], value: -1 }] })), "makes no sense"],
  ["sends an amount as text", lying((one) => ({ ...one, vout: [{ ...one.vout[0], value: "1104444" }] })), "makes no sense"],
  [
    "sends more than all coins",
    lying((one) => ({ ...one, vout: [one.vout[0], { ...one.vout[0], value: 2.1e15 }] })),
    "makes no sense",
  ],
  [
    "sends a block above the highest",
    lying((one) => ({ ...one, status: { ...one.status, block_height: 900_001 } })),
    "makes no sense",
  ],
  ["sends a confirmation without a block", lying((one) => ({ ...one, status: { confirmed: true } })), "makes no sense"],
  ["sends a time before Bitcoin", lying((one) => ({ ...one, status: { ...one.status, block_time: 5 } })), "makes no sense"],
];

// CHAIN-6
describe("a chain service that", () => {
  it.each(faults)("%s makes the evidence unavailable and disturbs nothing else", async (_what, listener, says) => {
    const transaction = esplora.pay(walletForm.bitcoin_address, due);
    const id = await request(transaction);
    esplora.instead = listener;
    if (listener === unanswered) settings.timeoutMs = short;
    const errors = await lookUpDue(app);
    expect(errors).toHaveLength(1);
    expect(errors[0]).not.toMatch(/hidden-word|\/tx\/|\/api/);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "unavailable", text: expect.stringContaining(says) });
    expect((await operator.call("GET", "/api/payment-requests")).body.items).toHaveLength(1);

    app.clock.advance(30);
    expect(await lookUpDue(app)).toEqual([]);
    esplora.instead = undefined;
    settings.timeoutMs = long;
    app.clock.advance(600);
    expect(await lookUpDue(app)).toEqual([]);
    operator = await admin(app);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "unconfirmed" });
    expect((await operator.call("POST", `/api/payment-requests/${id}/approve`)).status).toBe(200);
  });

  it("asks to wait is not asked before, not even by the admin", async () => {
    const id = await request("1".repeat(64));
    esplora.instead = (_incoming, reply) => reply.writeHead(429, { "retry-after": "120" }).end();
    expect(await lookUpDue(app)).toHaveLength(1);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "unavailable", text: "The chain service is asked too often." });
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('chain_service_failing{coin="bitcoin"} 1\n');
    expect(metrics).toContain('chain_service_failing{coin="ethereum"} 0\n');
    const asked = esplora.asked.length;
    app.clock.advance(119);
    await lookUpDue(app);
    expect((await operator.call("POST", `/api/payment-requests/${id}/check`)).status).toBe(200);
    expect(esplora.asked.length).toBe(asked);
    app.clock.advance(2);
    await lookUpDue(app);
    expect(esplora.asked.length).toBe(asked + 1);
    app.clock.advance(121);
    await operator.call("POST", `/api/payment-requests/${id}/check`);
    expect(esplora.asked.length).toBe(asked + 2);
  });

  it("replies to others again says nothing of a payment until that is looked up", async () => {
    const id = await request("1".repeat(64));
    esplora.instead = (_incoming, reply) => reply.writeHead(502).end();
    await lookUpDue(app);
    await storeServiceSuccess(app.deps.db, "bitcoin");
    expect(await evidenceOf(id)).toMatchObject({ verdict: "unavailable", text: "The payment is being looked up." });
  });

  it("is down keeps what it said before, and what is final needs it no more", async () => {
    const [first, second] = [esplora.pay(walletForm.bitcoin_address, due), esplora.pay(walletForm.bitcoin_address, due)];
    const final = await request(first);
    esplora.mine(6, app.clock.now());
    const pending = await request(second);
    esplora.drop(second);
    await lookUpDue(app);
    esplora.instead = unanswered;
    settings.timeoutMs = short;
    app.clock.advance(300);
    await lookUpDue(app);
    expect(await evidenceOf(final)).toMatchObject({ verdict: "matched" });
    expect(await evidenceOf(pending)).toMatchObject({
      verdict: "unavailable",
      text: expect.stringMatching(/ At 20.* it said: Bitcoin has no/),
    });
  });
});

// RUN-4
it.each([
  ["50%25off", "50%off"],
  ["50%off", "50%off"],
  ["a^b%40c%", "a^b@c%"],
])("sends the password %s of a service's address as %s", async (written, password) => {
  let sent: string | undefined;
  esplora.instead = (incoming, reply) => {
    sent = incoming.headers.authorization;
    reply.writeHead(404).end();
  };
  const address = esplora.url.replace("http://", `http://shop:${written}@`);
  const reader = openBitcoin({ ...settings, address }).reader(new AbortController().signal);
  await expect(reader.hasHistory(walletForm.bitcoin_address)).rejects.toThrow("has no Esplora API");
  expect(sent).toBe(`Basic ${Buffer.from(`shop:${password}`).toString("base64")}`);
});

// CHAIN-6
it("asks within a budget of all processes together", async () => {
  const limits = postgresRateLimits(app.deps.db.$client);
  const small = { name: "chain-small", points: 4, seconds: 600 };
  const open = () => ({ bitcoin: openBitcoin({ address: esplora.url, budget: small, limits }), ethereum: undefined });
  for (let more = 0; more < 4; more += 1) await request(esplora.pay(walletForm.bitcoin_address, due));
  const asked = esplora.asked.length;
  for (const chains of [open(), open()]) expect(await lookUpDue({ ...app, deps: { ...app.deps, chains } })).toEqual([]);
  expect(esplora.asked.length).toBe(asked + 4);
  const failed = await app.sql("select * from chain_lookups where failures > 0");
  expect(failed).toEqual([]);
});
