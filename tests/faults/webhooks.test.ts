import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pay } from "../support/sites/course.ts";
import { adminSessionOf, caller, joinSite, type Call } from "../support/sites/members.ts";
import { walletForm } from "../support/payments.ts";
import { adminPassword, prepareSite, type Site } from "../support/sites/site-process.ts";
import { soon } from "../support/soon.ts";
import { idOf, typeOf, webhookReceiver, type WebhookReceiver } from "../support/webhooks/receiver.ts";
import { startOwnPostgres, type OwnPostgres } from "./postgres.ts";

let postgres: OwnPostgres;
let receiver: WebhookReceiver;
let site: Site;
let asAdmin: Call;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  receiver = await webhookReceiver();
  const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  site = await prepareSite({ DATABASE_URL: postgres.url, WEBHOOK_URL: receiver.url, WEBHOOK_SECRET });
  await site.start();
  asAdmin = caller(site, (await adminSessionOf(site)).access_token);
  await asAdmin("PUT", "/api/wallet-settings", { ...walletForm, current_password: adminPassword });
});
afterAll(async () => {
  await site?.stop();
  await receiver?.stop();
  await postgres?.remove();
});

// WEBHOOK-1, WEBHOOK-3
it("loses no event when it is killed while the receiver has one and the next waits", async () => {
  receiver.reply = () => {};
  const payer = await joinSite(site, `Payer ${randomUUID().slice(0, 8)}`, true);
  const { id } = await pay(payer, { package_type: "starter", method: "thai_bank", reference: "100000000001" });
  await soon(() => expect(receiver.received).toHaveLength(1));
  await asAdmin("POST", `/api/payment-requests/${id}/approve`, {});
  await site.kill();
  expect(receiver.received.map(typeOf)).toEqual(["payment_request.submitted"]);

  receiver.reply = (response) => response.writeHead(204).end();
  // As if the lease of the killed process had run out.
  await postgres.sql("update webhook_events set next_attempt_at = now()");
  await site.start();
  const expected = ["payment_request.submitted", "payment_request.submitted", "payment_request.approved"];
  await soon(() => expect(receiver.received.map(typeOf)).toEqual(expected));
  const [first, again, approved] = receiver.received.map(idOf);
  expect(again).toBe(first);
  expect(approved).not.toBe(first);
  await soon(async () => {
    const { rows } = await postgres.sql("select from webhook_events where delivered_at is null");
    expect(rows).toHaveLength(0);
  });
});
