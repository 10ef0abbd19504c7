import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { amount, line, optionalLine, priceInput, timestamp } from "./fields.ts";

export const WalletSettings = z.object({
  bitcoin_address: z.string(),
  ethereum_address: z.string(),
  bitcoin_price_usd: amount,
  ethereum_price_usd: amount,
  thai_bank_name: z.string(),
  thai_bank_account_number: z.string(),
  thai_bank_account_name: z.string(),
  /** Made by `npm run seed`; the screens say so until the admin saves real ones. */
  is_sample: z.boolean(),
  updated_at: timestamp,
});
export type WalletSettings = z.infer<typeof WalletSettings>;

const address = line(120, "Please enter the address.").check(
  z.regex(/^[A-Za-z0-9]{10,120}$/, "An address has only letters and digits."),
);

/** Addresses and prices are required, the bank is optional (specification, section 5). */
export const WalletSettingsForm = z.object({
  bitcoin_address: address,
  ethereum_address: address,
  bitcoin_price_usd: priceInput,
  ethereum_price_usd: priceInput,
  thai_bank_name: z._default(optionalLine(100), ""),
  thai_bank_account_number: z._default(optionalLine(40), ""),
  thai_bank_account_name: z._default(optionalLine(100), ""),
  /** Needed when an address or account changes. */
  current_password: z.optional(z.string().check(z.maxLength(1000))),
});
export type WalletSettingsForm = z.infer<typeof WalletSettingsForm>;

export const walletSettings = {
  get: oc.route({ method: "GET", path: "/api/wallet-settings", summary: "Where payments go" }).output(WalletSettings),
  put: oc
    .route({ method: "PUT", path: "/api/wallet-settings", summary: "Change where payments go" })
    .input(WalletSettingsForm)
    .output(WalletSettings),
  cryptoPrice: oc
    .route({
      method: "GET",
      path: "/api/crypto-price/{coin}",
      inputStructure: "detailed",
      summary: "The public price service's USD price",
    })
    .input(z.object({ params: z.object({ coin: z.enum(["bitcoin", "ethereum"]) }) }))
    .output(z.object({ usd: amount })),
};
