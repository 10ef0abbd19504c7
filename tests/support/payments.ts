import { randomUUID } from "node:crypto";
import type { SettingsName } from "#domain/payment-methods/settings";
import type { Answer, Person } from "./people.ts";

/** The smallest real PNG: one transparent pixel. */
export const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** Every field of the settings: one that a method adds does not compile without a value here. */
export const walletForm: Record<SettingsName, string> & { unique_amounts: boolean } = {
  bitcoin_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  bitcoin_xpub: "",
  ethereum_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  bitcoin_price_usd: "45000",
  ethereum_price_usd: "3000",
  thai_bank_name: "Kasikornbank",
  thai_bank_account_number: "012-3-45678-9",
  thai_bank_account_name: "Pipwright Co., Ltd.",
  promptpay_id: "",
  unique_amounts: false,
  alert_email: "",
};

/** The admin sets up all three methods. */
export async function setUpWallets(admin: Person, changes: Partial<typeof walletForm> = {}): Promise<void> {
  const answer = await admin.call("PUT", "/api/wallet-settings", {
    ...walletForm,
    ...changes,
    current_password: admin.password,
  });
  if (answer.status !== 200) throw new Error(`Wallet settings answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** Uploads a screenshot by form and returns its upload id. */
export async function uploadScreenshot(student: Person, bytes: Buffer = tinyPng, filename = "paid.png"): Promise<string> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), filename);
  const answer = await student.call("POST", "/storage/v1/object/payment-screenshots", form);
  if (answer.status >= 300) throw new Error(`Screenshot answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.upload_id;
}

export interface PaymentChoice {
  package_type?: "starter" | "advanced";
  coupon_code?: string;
  crypto_type?: "bitcoin" | "ethereum" | "thai_bank";
  key?: string;
  screenshot?: Buffer;
  extra?: Record<string, unknown>;
}

/** Quote, screenshot, submit; returns the answer of the submit. */
export async function pay(student: Person, choice: PaymentChoice = {}): Promise<Answer> {
  const quote = await student.call("POST", "/api/quotes", {
    package_type: choice.package_type ?? "starter",
    coupon_code: choice.coupon_code,
  });
  if (quote.status !== 201) return quote;
  return student.call(
    "POST",
    "/api/payment-requests",
    {
      quote_id: quote.body.id,
      crypto_type: choice.crypto_type ?? "bitcoin",
      upload_id: await uploadScreenshot(student, choice.screenshot),
      consent: true,
      ...choice.extra,
    },
    { "idempotency-key": choice.key ?? randomUUID() },
  );
}
