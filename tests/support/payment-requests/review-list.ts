import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { TestApp } from "../app.ts";
import { walletForm } from "../payments.ts";
import type { Answer, Person } from "../people.ts";

export interface Listed {
  id: string;
  status: string;
  crypto_type: string | null;
  package_type: string;
  created_at: string;
}

export type Query = Record<string, string>;

export interface Row {
  email?: string;
  name?: string;
  status?: "pending" | "approved" | "rejected";
  method?: "bitcoin" | "ethereum" | "thai_bank" | null;
  package?: "starter" | "advanced";
  flagged?: boolean;
  reference?: string | null;
  at?: string;
}

/** The admin's list of payment requests. */
export function reviewList(operator: Person) {
  const read = (query: Query): Promise<Answer> => operator.call("GET", `/api/payment-requests?${new URLSearchParams(query)}`);
  const ids = async (query: Query): Promise<string[]> => {
    const { status, body } = await read(query);
    expect(status).toBe(200);
    return body.items.map((item: Listed) => item.id);
  };
  return {
    read,
    /** Returns the ids of a page. */
    ids,
    found: (search: string): Promise<string[]> => ids({ search, limit: "100" }),
    /** Returns every request of a filter, page by page; `between` runs after each page. */
    async walk(query: Query, between: () => Promise<unknown> = async () => undefined): Promise<Listed[]> {
      const items: Listed[] = [];
      for (let cursor: string | undefined, ended = false; !ended; await between()) {
        const { status, body } = await read(cursor === undefined ? query : { ...query, cursor });
        expect(status).toBe(200);
        items.push(...body.items);
        cursor = body.next_cursor;
        ended = cursor === null;
      }
      return items;
    },
  };
}

/** Stores a request as a submit does, of someone without an account. */
export async function insertRequest(app: TestApp, row: Row): Promise<string> {
  const [id, objectId] = [randomUUID(), randomUUID()];
  const { status = "pending", method = "bitcoin", at = "2026-03-04T05:06:07Z" } = row;
  const isDecided = status !== "pending";
  await app.sql(
    `insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
     values ($1::uuid, 'payment-screenshots', $1::uuid || '.png', 'paid.png', 'image/png', 1, now())`,
    [objectId],
  );
  await app.sql(
    `insert into payment_requests (id, payer_email, payer_full_name, package_type, original_usd, discount_percent, amount_usd, amount_crypto,
       crypto_type, wallet_address, screenshot_url, screenshot_object_id, reference, consent_version, consented_at, idempotency_key, status,
       rejection_reason, decided_at, decided_by, receipt_number, created_at, flagged)
     values ($1::uuid, $2, $3, $4, 497, 0, $5, $6, $7, $8, $9, $10, $11, '1', now(), $1::uuid::text, $12, $13, $14, $15, $16, $17, $18)`,
    [
      id,
      row.email ?? `${id}@example.net`,
      row.name ?? "Nobody Known",
      row.package ?? "starter",
      method === null ? 0 : 497,
      method === null ? null : "0.01104444",
      method,
      method === null ? null : walletForm.bitcoin_address,
      method === null ? null : `${objectId}.png`,
      method === null ? null : objectId,
      row.reference ?? null,
      status,
      status === "rejected" ? "No payment." : null,
      isDecided ? at : null,
      isDecided ? "admin@example.com" : null,
      status === "approved" ? `1999-${id}` : null,
      at,
      row.flagged ?? false,
    ],
  );
  return id;
}
