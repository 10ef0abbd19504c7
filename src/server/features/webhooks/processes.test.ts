import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { allowIdle, transaction } from "#server/platform/db/transaction";
import { startApp } from "../../../../tests/support/app.ts";
import { admin } from "../../../../tests/support/people.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { idOf } from "../../../../tests/support/webhooks/receiver.ts";
import { isDelivered, take, webhookShop } from "../../../../tests/support/webhooks/shop.ts";
import { webhookRemovals } from "./retention.ts";

const shop = webhookShop();

/** Runs with another process's worth of app on the same database. */
async function withProcess(run: (beside: Awaited<ReturnType<typeof startApp>>) => Promise<void>): Promise<void> {
  const beside = await startApp({ beside: shop.app, environment: shop.environment });
  try {
    await run(beside);
  } finally {
    await shop.stopSenders();
    await beside.close();
  }
}

// WEBHOOK-3
describe("several processes", () => {
  it("sends each event once from several processes", () =>
    withProcess(async (beside) => {
      for (let number = 0; number < 30; number += 1) await shop.write(number % 2 ? shop.one : shop.other, `event ${number}`);
      shop.start();
      shop.start(beside.deps);
      await shop.delivered(30);
      expect(new Set(shop.typesReceived()).size).toBe(30);
      expect(shop.receiver.received).toHaveLength(30);
    }));

  it("sends an event again, unchanged, when the process that held it was killed", () =>
    withProcess(async (beside) => {
      const held: ServerResponse[] = [];
      shop.receiver.reply = (response) => void held.push(response);
      await shop.write(shop.one, "submitted");
      const { worker: killed } = shop.start();
      await soon(() => expect(held).toHaveLength(1));
      shop.receiver.reply = take;
      const { worker: heir } = shop.start(beside.deps);
      await soon(() => expect(heir.lastClaimAt).toBeDefined());
      expect(shop.receiver.received).toHaveLength(1);
      // Longer than the lease.
      beside.clock.advance(31);
      heir.wake();
      await shop.delivered(1);
      const [first, ...others] = shop.receiver.received.map(idOf);
      expect(others).toEqual([first]);
      // The one that was thought to be killed records its failure after all, which changes nothing.
      held[0]!.writeHead(500).end();
      await soon(() => expect(killed.inFlight.size).toBe(0));
      expect(await shop.rows()).toMatchObject([{ attempts: 2, ...isDelivered, last_error: null }]);
      expect(shop.lines).toEqual([expect.stringContaining("will be tried again")]);
    }));

  it("goes on to the next event while one is locked", async () => {
    await shop.write(shop.one, "locked");
    await shop.write(shop.other, "free");
    await transaction(shop.app.deps.db, async (tx) => {
      await allowIdle(tx, 0);
      await tx.execute("select id from webhook_events where type = 'locked' for update");
      shop.start();
      await shop.delivered(1);
      expect(shop.typesReceived()).toEqual(["free"]);
    });
  });

  it("sends an event cut off by a stop right after the next start", async () => {
    shop.receiver.reply = () => {};
    await shop.write(shop.one, "submitted");
    const sender = shop.start();
    await soon(() => expect(shop.receiver.received).toHaveLength(1));
    await sender.stop();
    // A stop waits for this record for a second at most.
    await soon(async () => expect(await shop.rows()).toMatchObject([{ attempts: 0, delivered_at: null, last_error: null }]));
    shop.receiver.reply = take;
    shop.start();
    await shop.delivered(1);
    expect(shop.receiver.received).toHaveLength(2);
  });
});

// WEBHOOK-5
it("counts events that wait or were given up, and stays ready", async () => {
  shop.refuse(500);
  await shop.write(shop.one, "submitted");
  await shop.write(shop.other, "submitted");
  shop.start();
  await soon(async () => expect((await shop.rows()).map(({ last_error }) => last_error)).not.toContain(null));
  const giveUp = "update webhook_events set given_up_at = now(), next_attempt_at = null where payment_request_id = $1";
  await shop.app.sql(giveUp, [shop.other]);
  await shop.stopSenders();
  // One that was delivered at its second try.
  await shop.write(shop.other, "approved");
  await shop.app.sql(
    "update webhook_events set delivered_at = now(), next_attempt_at = null, last_error = '500' where type = 'approved'",
  );
  // One that was not tried yet.
  await shop.write(shop.one, "approved");
  const metrics = await (await fetch(`${shop.app.url}/metrics`)).text();
  expect(metrics).toContain('webhook_failures{state="waiting"} 1');
  expect(metrics).toContain('webhook_failures{state="given_up"} 1');
  const { body } = await (await admin(shop.app)).call("GET", "/api/stats");
  expect(body.webhooks).toEqual({ failed: 1, waiting: 1 });
  await soon(async () => expect((await fetch(`${shop.app.url}/readyz`)).status).toBe(200));
});

// KEEP-1
it("deletes events after 30 days, also those that wait for a WEBHOOK_URL", async () => {
  await shop.write(shop.one, "submitted");
  const { db, clock } = shop.app.deps;
  const remove = (): Promise<number> => webhookRemovals[0]!.remove(db, clock.now(), 100);
  shop.app.clock.advance(30 * 24 * 3600);
  expect(await remove()).toBe(0);
  shop.app.clock.advance(1);
  expect(await remove()).toBe(1);
  expect(await shop.rows()).toEqual([]);
});
