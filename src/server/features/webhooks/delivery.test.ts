import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { soon } from "../../../../tests/support/soon.ts";
import { idOf, typeOf, webhookReceiver } from "../../../../tests/support/webhooks/receiver.ts";
import { isDelivered, take, webhookShop } from "../../../../tests/support/webhooks/shop.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { retrySeconds } from "./deliver.ts";
import * as queries from "./queries.ts";

const shop = webhookShop();

/** Moves the clock and has the sender look for events that are due. */
function pass(seconds: number): void {
  shop.app.clock.advance(seconds);
  shop.senders[0]!.worker.wake();
}

const secondsUntil = (at: Date | null): number => (at!.getTime() - shop.app.clock.steady().getTime()) / 1000;

// WEBHOOK-3
describe("an event", () => {
  it("is delivered once, with what was stored when it happened", async () => {
    await shop.write(shop.one, "submitted");
    shop.start();
    await shop.delivered(1);
    expect(await shop.rows()).toEqual([expect.objectContaining({ ...isDelivered, attempts: 1, last_error: null })]);
    pass(3600);
    await shop.write(shop.other, "submitted");
    await shop.delivered(2);
    expect(shop.receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual([shop.one, shop.other]);
  });

  it.each([400, 410, 429, 500, 503])("is tried again after a reply of %i, as the same event", async (status) => {
    shop.refuse(status);
    await shop.write(shop.one, "submitted");
    shop.start();
    const row = await shop.failed(1);
    expect(row).toMatchObject({ delivered_at: null, last_error: expect.stringContaining(`status ${status}`) });
    expect(secondsUntil(row.next_attempt_at)).toBe(5);
    shop.receiver.reply = (response) => response.writeHead(200).end("thanks");
    pass(5);
    await shop.delivered(1);
    const [first, second] = shop.receiver.received;
    expect([idOf(second!), second!.body]).toEqual([idOf(first!), first!.body]);
    expect(Number(second!.headers["webhook-timestamp"]) - Number(first!.headers["webhook-timestamp"])).toBe(5);
    expect(second!.headers["webhook-signature"]).not.toBe(first!.headers["webhook-signature"]);
  });

  it("is tried again soon when it failed while the clock was ahead", async () => {
    shop.refuse(503);
    await shop.write(shop.one, "submitted");
    shop.start();
    await shop.failed(1);
    await shop.stopSenders();
    // As another start would see it: everything was written a day ahead of its clock.
    const ahead = (column: string) => `${column} = ${column} + interval '1 day'`;
    await shop.app.sql(`update webhook_events set ${ahead("attempted_at")}, ${ahead("next_attempt_at")}`);
    shop.receiver.reply = take;
    const { worker } = shop.start();
    await soon(() => expect(worker.lastClaimAt).toBeDefined());
    pass(31);
    await shop.delivered(1);
  });

  it("keeps its wait unless both its attempt and its wait lie too far ahead", async () => {
    for (const request of [shop.one, shop.other]) await shop.write(request, "submitted");
    const { db, clock } = shop.app.deps;
    const after = (seconds: number): Date => secondsAfter(clock.steady(), seconds);
    const set = "update webhook_events set attempts = 1, attempted_at = $2, next_attempt_at = $3 where payment_request_id = $1";
    await shop.app.sql(set, [shop.one, after(3600), after(5)]);
    await shop.app.sql(set, [shop.other, after(-5), after(3600)]);
    await queries.endFutureWaits(db, { now: clock.steady(), leaseEnd: after(30) });
    expect((await shop.rows()).map((row) => secondsUntil(row.next_attempt_at))).toEqual([5, 3600]);
  });

  it("is claimed before a later one of the same moment", async () => {
    await shop.write(shop.one, "first");
    await shop.write(shop.other, "second");
    // Its row, and its entry in the index, stand behind the other's from now on.
    for (const sign of ["+", "-"])
      await shop.app.sql(
        `update webhook_events set next_attempt_at = next_attempt_at ${sign} interval '1 second' where type = 'first'`,
      );
    const now = shop.app.clock.steady();
    const claimed = await queries.claimDue(shop.app.deps.db, { now, leaseEnd: secondsAfter(now, 30) }, []);
    expect(claimed?.type).toBe("first");
  });

  it("is claimed neither while it is being sent nor once it is delivered", async () => {
    const claim = (busy: string[] = []) => {
      const now = shop.app.clock.steady();
      return queries.claimDue(shop.app.deps.db, { now, leaseEnd: secondsAfter(now, 30) }, busy);
    };
    const set = (values: string) => shop.app.sql(`update webhook_events set ${values}`);
    await shop.write(shop.one, "submitted");
    // Written while the clock was ahead.
    await set("next_attempt_at = now() + interval '1 year'");
    const event = await claim();
    expect(event?.type).toBe("submitted");
    await set("next_attempt_at = now() - interval '1 year'");
    expect(await claim([event!.id])).toBeUndefined();
    await set("attempts = 0, next_attempt_at = null, delivered_at = now()");
    expect(await claim()).toBeUndefined();
  });

  it("keeps the first 500 letters of why it failed", async () => {
    await shop.write(shop.one, "submitted");
    const { config } = shop.app.deps;
    const keys: Buffer[] = [];
    keys.map = () => {
      throw new Error("x".repeat(600));
    };
    shop.start({ config: { ...config, webhooks: { ...config.webhooks, keys } } });
    expect((await shop.failed(1)).last_error).toHaveLength(500);
  });

  it("is tried again when nobody listens at the address", async () => {
    const gone = await webhookReceiver();
    await gone.stop();
    await shop.write(shop.one, "submitted");
    const { config } = shop.app.deps;
    shop.start({ config: { ...config, webhooks: { ...config.webhooks, url: gone.url } } });
    expect((await shop.failed(1)).last_error).toContain("ECONNREFUSED");
    expect(shop.lines).toEqual([expect.stringMatching(/^The webhook submitted .* will be tried again in 5 s: fetch failed/)]);
  });

  it("is given up after eight attempts in 28 hours, then the next one is sent", async () => {
    shop.receiver.reply = (response, event) => response.writeHead(typeOf(event) === "submitted" ? 500 : 204).end();
    await shop.write(shop.one, "submitted");
    await shop.write(shop.one, "approved");
    const { worker } = shop.start();
    for (const [index, wait] of retrySeconds.entries()) {
      expect(secondsUntil((await shop.failed(index + 1)).next_attempt_at)).toBe(wait);
      pass(wait - 1);
      await soon(() => expect(worker.lastClaimAt).toEqual(shop.app.clock.now()));
      expect(shop.receiver.received).toHaveLength(index + 1);
      pass(1);
    }
    await shop.delivered(1);
    expect(retrySeconds.reduce((sum, wait) => sum + wait) / 3600).toBeCloseTo(27.6, 1);
    expect(await shop.rows()).toMatchObject([
      { attempts: 8, given_up_at: expect.any(Date), next_attempt_at: null, delivered_at: null },
      { attempts: 1, ...isDelivered },
    ]);
    expect(shop.typesReceived()).toEqual([...Array.from({ length: 8 }, () => "submitted"), "approved"]);
    expect(shop.lines.at(-1)).toMatch(/^The webhook submitted .* is given up after 8 attempts: .* status 500/);
  });

  it("is sent again after it was given up by the statement of docs/operations.md", async () => {
    await shop.write(shop.one, "approved");
    await shop.app.sql(
      "update webhook_events set attempts = 8, last_error = 'No.', given_up_at = now(), next_attempt_at = null",
    );
    const { worker } = shop.start();
    await soon(() => expect(worker.lastClaimAt).toBeDefined());
    const [, statement = ""] = /```sql\n(update webhook_events.*?)```/s.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
    await shop.app.sql(statement);
    worker.wake();
    await shop.delivered(1);
    expect(shop.typesReceived()).toEqual(["approved"]);
  });

  it("waits for the earlier ones of its request, but not for those of others", async () => {
    const sent = (id: string): string[] => shop.receiver.received.filter(({ body }) => body.includes(id)).map(typeOf);
    shop.receiver.reply = (response, { body }) => {
      const isRefused = body.includes(shop.one) && sent(shop.one).length === 1;
      response.writeHead(isRefused ? 503 : 204).end();
    };
    for (const type of ["submitted", "approved", "reopened"]) await shop.write(shop.one, type);
    for (const type of ["submitted", "rejected"]) await shop.write(shop.other, type);
    shop.start();
    await shop.delivered(2);
    await shop.failed(1);
    expect(sent(shop.one)).toEqual(["submitted"]);
    pass(5);
    await shop.delivered(5);
    expect(sent(shop.one)).toEqual(["submitted", "submitted", "approved", "reopened"]);
    expect(sent(shop.other)).toEqual(["submitted", "rejected"]);
  });
});

// WEBHOOK-3
describe("a receiver", () => {
  it("is not followed to where it redirects", async () => {
    const elsewhere = await webhookReceiver();
    shop.refuse(307, { location: elsewhere.url });
    await shop.write(shop.one, "submitted");
    shop.start();
    expect((await shop.failed(1)).last_error).toContain("status 307");
    expect(elsewhere.received).toEqual([]);
    await elsewhere.stop();
  });

  it("that does not reply is cut off, and the event is tried again", async () => {
    let isClosed = false;
    shop.receiver.reply = (response) => response.on("close", () => (isClosed = true));
    await shop.write(shop.one, "submitted");
    shop.start({ deadlineMs: 2000 });
    expect((await shop.failed(1)).last_error).toContain("timeout");
    await soon(() => expect(isClosed).toBe(true));
    shop.receiver.reply = take;
    pass(5);
    await shop.delivered(1);
  });

  it("that sends a status and then nothing has the event", async () => {
    shop.receiver.reply = (response) => response.writeHead(200).write("thank");
    await shop.write(shop.one, "submitted");
    shop.start({ deadlineMs: 2000 });
    await shop.delivered(1);
  });

  it.each([200, 500])("that replies with %i and an endless body is cut off", async (status) => {
    let sentBytes = 0;
    let isClosed = false;
    shop.receiver.reply = (response) => {
      const piece = Buffer.alloc(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sentBytes += piece.length;
      };
      response.on("close", () => (isClosed = true)).on("drain", more);
      response.writeHead(status);
      more();
    };
    await shop.write(shop.one, "submitted");
    shop.start();
    await (status === 200 ? shop.delivered(1) : shop.failed(1));
    await soon(() => expect(isClosed).toBe(true));
    expect(sentBytes).toBeLessThan(32 * 1024 ** 2);
  });
});
