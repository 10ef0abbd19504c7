import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { enqueueEvent } from "#server/features/webhooks/enqueue";
import { startWebhooks, type WebhookParts, type WebhookSender } from "#server/features/webhooks/sender";
import { transaction } from "#server/platform/db/transaction";
import type { TestApp } from "../app.ts";
import { pay } from "../payments.ts";
import { student } from "../people.ts";
import { startShop } from "../shop.ts";
import { soon } from "../soon.ts";
import { typeOf, webhookReceiver, type WebhookReceiver } from "./receiver.ts";

interface EventRow {
  type: string;
  attempts: number;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  given_up_at: Date | null;
  last_error: string | null;
}

/** What a row of a delivered event has. */
export const isDelivered = { delivered_at: expect.any(Date), next_attempt_at: null, given_up_at: null };

/** Replies with 204, as a receiver that takes an event. */
export const take = (response: ServerResponse): unknown => response.writeHead(204).end();

/** A shop with two payment requests, a receiver, and senders that a test starts. It has no event at the start of a test. */
export class WebhookShop {
  receiver!: WebhookReceiver;
  app!: TestApp;
  /** Ids of the two payment requests. */
  one = "";
  other = "";
  /** What the senders have logged. */
  readonly lines: string[] = [];
  readonly senders: WebhookSender[] = [];

  get environment() {
    return { WEBHOOK_URL: this.receiver.url, WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" };
  }

  start(parts: Partial<WebhookParts> = {}): WebhookSender {
    const onError = (what: string, error: unknown): void => void this.lines.push(`${what}: ${(error as Error).message}`);
    const sender = startWebhooks({ ...this.app.deps, onError, ...parts })!;
    this.senders.push(sender);
    return sender;
  }

  async stopSenders(): Promise<void> {
    await Promise.all(this.senders.splice(0).map((sender) => sender.stop()));
  }

  write(paymentRequestId: string, type: string): Promise<void> {
    const event = { type, paymentRequestId, data: { id: paymentRequestId } };
    return transaction(this.app.deps.db, (tx) => enqueueEvent(this.app.deps, tx, event));
  }

  /** The oldest first. */
  rows(): Promise<EventRow[]> {
    return this.app.sql<EventRow>("select * from webhook_events order by place");
  }

  typesReceived(): string[] {
    return this.receiver.received.map(typeOf);
  }

  refuse(status: number, headers: Record<string, string> = {}): void {
    this.receiver.reply = (response) => response.writeHead(status, headers).end("no");
  }

  /** Waits until that many events are delivered. */
  delivered(count: number): Promise<void> {
    return soon(async () => {
      const done = (await this.rows()).filter(({ delivered_at }) => delivered_at !== null);
      expect(done).toHaveLength(count);
    });
  }

  /** Waits until the first event has failed that often, and returns its row. */
  failed(attempts: number): Promise<EventRow> {
    return soon(async () => {
      // Before the row is read: a claim counts the attempt before it begins.
      expect(this.lines.length).toBeGreaterThanOrEqual(attempts);
      expect(this.senders[0]!.worker.inFlight.size).toBe(0);
      const [row] = await this.rows();
      expect(row).toMatchObject({ attempts, last_error: expect.any(String) });
      return row!;
    });
  }
}

/** The shop of a test file. */
export function webhookShop(): WebhookShop {
  const shop = new WebhookShop();
  beforeAll(async () => {
    shop.receiver = await webhookReceiver();
    ({ app: shop.app } = await startShop({ environment: shop.environment }));
    shop.one = (await pay(await student(shop.app))).body.id;
    shop.other = (await pay(await student(shop.app))).body.id;
  });
  afterAll(async () => {
    await shop.app?.close();
    await shop.receiver?.stop();
  });
  beforeEach(async () => {
    await shop.app.sql("delete from webhook_events");
    shop.receiver.received.length = 0;
    shop.receiver.reply = take;
    shop.lines.length = 0;
  });
  afterEach(() => shop.stopSenders());
  return shop;
}
