import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { adminEmail, adminPassword, expect, startSite, test, type Site } from "../support/site.ts";

interface Reply {
  status: number;
  body: any;
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

const caller =
  (site: Site, token?: string): Call =>
  async (method, path, body, headers = {}) => {
    const isForm = body instanceof FormData;
    const reply = await fetch(site.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
  };

const signIn = async (site: Site, email: string, password: string): Promise<Call> => {
  const { body } = await caller(site)("POST", "/auth/v1/token?grant_type=password", { email, password });
  return caller(site, body.access_token);
};

test("nothing that was acknowledged is missing after kill -9 at any step of the path", async () => {
  test.setTimeout(180_000);
  const site = await startSite();
  const killed = async (): Promise<void> => {
    await site.kill();
    await site.start();
  };
  try {
    const email = "survivor@example.com";
    const password = "a fine long password";
    const admin = await signIn(site, adminEmail, adminPassword);
    const wallets = {
      bitcoin_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
      ethereum_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      bitcoin_price_usd: "45000",
      ethereum_price_usd: "3000",
      current_password: adminPassword,
    };
    expect((await admin("PUT", "/api/wallet-settings", wallets)).status).toBe(200);
    await killed();

    const signedUp = await caller(site)("POST", "/auth/v1/signup", { email, password, data: { full_name: "Sur Vivor" } });
    expect(signedUp.status).toBe(200);
    await killed();

    const student = caller(site, signedUp.body.access_token);
    expect((await student("POST", "/functions/v1/send-verification-email", { email })).status).toBe(200);
    await killed();

    const code = await site.codeFor(email);
    expect((await student("POST", "/functions/v1/verify-email", { code })).status).toBe(200);
    await killed();

    const quote = await student("POST", "/api/quotes", { package_type: "advanced", coupon_code: "LUNCH" });
    expect(quote.body.amount_usd).toBe("299.1");
    await killed();

    const form = new FormData();
    const picture = await readFile(join(import.meta.dirname, "../support/receipt.png"));
    form.set("file", new Blob([new Uint8Array(picture)], { type: "image/png" }), "receipt.png");
    const uploaded = await student("POST", "/storage/v1/object/payment-screenshots", form);
    expect(uploaded.body.upload_id).toBeTruthy();
    await killed();

    const submission = { quote_id: quote.body.id, crypto_type: "ethereum", upload_id: uploaded.body.upload_id, consent: true };
    const key = { "idempotency-key": randomUUID() };
    const submitted = await student("POST", "/api/payment-requests", submission, key);
    expect(submitted.status).toBe(201);
    await killed();

    const again = await student("POST", "/api/payment-requests", submission, key);
    expect(again.body.id).toBe(submitted.body.id);
    const link = await admin("GET", `/api/payment-requests/${submitted.body.id}/screenshot`);
    const bytes = Buffer.from(await (await fetch(link.body.url)).arrayBuffer());
    expect(bytes.equals(picture)).toBe(true);
    expect((await admin("POST", `/api/payment-requests/${submitted.body.id}/approve`)).status).toBe(200);
    await killed();

    const me = await student("GET", "/api/me");
    expect(me.body).toMatchObject({ email_verified: true, subscription_status: "advanced" });
    const mine = await student("GET", "/api/payment-requests/mine");
    expect(mine.body.items).toMatchObject([{ status: "approved", amount_usd: "299.1", amount_crypto: "0.09970000" }]);
  } finally {
    await site.stop();
  }
});
