import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { adminSessionOf, caller } from "../support/sites/members.ts";
import { adminPassword, expect, startSite, test } from "../support/sites/site.ts";

test("nothing that was acknowledged is missing after kill -9 at any step of the path", async () => {
  // Below ten minutes, when access tokens end.
  test.setTimeout(420_000);
  const site = await startSite();
  const killed = async (): Promise<void> => {
    await site.kill();
    await site.start();
  };
  try {
    const email = "survivor@example.com";
    const password = "a fine long password";
    const admin = caller(site, (await adminSessionOf(site)).access_token);
    const wallets = {
      bitcoin_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
      ethereum_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      bitcoin_price_usd: "45000",
      ethereum_price_usd: "3000",
      current_password: adminPassword,
    };
    await admin("PUT", "/api/wallet-settings", wallets);
    await killed();

    const signedUp = await caller(site)("POST", "/auth/v1/signup", { email, password, data: { full_name: "Sur Vivor" } });
    await killed();

    const student = caller(site, signedUp.access_token);
    await student("POST", "/functions/v1/send-verification-email", { email });
    await killed();

    const code = await site.codeFor(email);
    await student("POST", "/functions/v1/verify-email", { code });
    await killed();

    const quote = await student("POST", "/api/quotes", { package_type: "advanced", coupon_code: "LUNCH" });
    expect(quote.amount_usd).toBe("299.1");
    await killed();

    const form = new FormData();
    const picture = await readFile(join(import.meta.dirname, "../support/payment-requests/receipt.png"));
    form.set("file", new Blob([new Uint8Array(picture)], { type: "image/png" }), "receipt.png");
    const uploaded = await student("POST", "/storage/v1/object/payment-screenshots", form);
    expect(uploaded.upload_id).toBeTruthy();
    await killed();

    const submission = { quote_id: quote.id, crypto_type: "ethereum", upload_id: uploaded.upload_id, consent: true };
    const key = { "idempotency-key": randomUUID() };
    const submitted = await student("POST", "/api/payment-requests", submission, key);
    expect(submitted.status).toBe("pending");
    await killed();

    const again = await student("POST", "/api/payment-requests", submission, key);
    expect(again.id).toBe(submitted.id);
    const link = await admin("GET", `/api/payment-requests/${submitted.id}/screenshot`);
    const bytes = Buffer.from(await (await fetch(link.url)).arrayBuffer());
    expect(bytes.equals(picture)).toBe(true);
    await admin("POST", `/api/payment-requests/${submitted.id}/approve`);
    await killed();

    const me = await student("GET", "/api/me");
    expect(me).toMatchObject({ email_verified: true, subscription_status: "advanced" });
    const mine = await student("GET", "/api/payment-requests/mine");
    expect(mine.items).toMatchObject([{ status: "approved", amount_usd: "299.1", amount_crypto: "0.09970000" }]);
    expect(mine.items[0].receipt_number).toMatch(/-00001$/);
  } finally {
    await site.stop();
  }
});
