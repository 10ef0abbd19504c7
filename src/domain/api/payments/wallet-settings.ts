import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { coins, settingsFields, settingsNames, type SettingsName } from "../../payment-methods/settings.ts";
import { amount, code, timestamp } from "../fields.ts";

const values = Object.fromEntries(settingsNames.map((name) => [name, z.string()])) as Record<SettingsName, z.ZodMiniString>;

/** What the form of the settings holds. */
const fields = {
  ...values,
  /** Whether the last digits of amounts to one destination differ (QUOTE-8). */
  unique_amounts: z.boolean(),
};

export const WalletSettings = z.object({
  ...fields,
  /** Addresses of the present key that were given since the last one of a payment request that was not rejected; 0 without a key (WALLET-5). */
  bitcoin_addresses_unused: z.number(),
  /** Whether a destination is still one of `npm run seed`; the screens say so (WALLET-7). */
  is_sample: z.boolean(),
  updated_at: timestamp,
  /** When each price was set, fetched or confirmed (PRICE-1); null for a default that nobody set. */
  prices_updated_at: z.record(z.enum(coins), z.nullable(timestamp)),
});
export type WalletSettings = z.infer<typeof WalletSettings>;

type Inputs = { [Name in SettingsName]: (typeof settingsFields)[Name]["input"] };

/** Each field with its own check: addresses and prices are required, the bank and the key are optional (WALLET-1). */
const inputs = Object.fromEntries(settingsNames.map((name) => [name, settingsFields[name].input])) as Inputs;

export const WalletSettingsForm = z
  .object({
    ...inputs,
    unique_amounts: z._default(z.boolean(), false),
    /** Needed when an address or account changes. */
    current_password: z.optional(z.string().check(z.maxLength(1000))),
    /**
     * What the form was filled with: fields that still have that value stay as they are saved by now. Refused with `wallet_settings_changed`
     * when the form changes a destination or the alert email, and one of them is another by now.
     */
    expected: z.optional(z.object(fields)),
  })
  .check(
    z.refine(({ bitcoin_address, bitcoin_xpub }) => bitcoin_address !== "" || bitcoin_xpub !== "", {
      error: code("address_missing"),
      path: ["bitcoin_address"],
    }),
  );
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
    .input(z.object({ params: z.object({ coin: z.enum(coins) }) }))
    .output(z.object({ usd: amount })),
};
