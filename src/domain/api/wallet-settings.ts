import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import type { CheckedAddress } from "../address.ts";
import { checkBitcoinAddress } from "../bitcoin-address.ts";
import { checkEthereumAddress } from "../ethereum-address.ts";
import type { InputCode } from "../input-errors.ts";
import { normalisePromptPayId } from "../promptpay.ts";
import { amount, optionalLine, priceInput, timestamp } from "./fields.ts";

export const WalletSettings = z.object({
  bitcoin_address: z.string(),
  ethereum_address: z.string(),
  bitcoin_price_usd: amount,
  ethereum_price_usd: amount,
  thai_bank_name: z.string(),
  thai_bank_account_number: z.string(),
  thai_bank_account_name: z.string(),
  promptpay_id: z.string(),
  /** Made by `npm run seed`; the screens say so until the admin saves real ones. */
  is_sample: z.boolean(),
  updated_at: timestamp,
});
export type WalletSettings = z.infer<typeof WalletSettings>;

/** An address as typed; becomes the form that is stored, or an issue with the fault's code. */
const addressInput = <Fault extends string>(
  check: (text: string) => CheckedAddress<Fault>,
  codeOf: (fault: Fault) => InputCode,
) =>
  z.string().check(
    z.trim(),
    z.check((typed) => {
      const { address, fault } = check(typed.value);
      if (address !== undefined) typed.value = address;
      else refuse(typed, typed.value === "" ? "address_missing" : codeOf(fault));
    }),
  );

const promptPayId = z.string().check(
  z.trim(),
  z.check((typed) => {
    if (typed.value === "") return;
    const id = normalisePromptPayId(typed.value);
    if (id === undefined) refuse(typed, "promptpay_id_invalid");
    else typed.value = id;
  }),
);

function refuse(typed: z.core.ParsePayload<string>, message: InputCode): void {
  typed.issues.push({ code: "custom", input: typed.value, message });
}

/** Addresses and prices are required, the bank is optional (WALLET-1). */
export const WalletSettingsForm = z.object({
  bitcoin_address: addressInput(checkBitcoinAddress, (fault) => `bitcoin_address_${fault}`),
  ethereum_address: addressInput(checkEthereumAddress, (fault) => `ethereum_address_${fault}`),
  bitcoin_price_usd: priceInput,
  ethereum_price_usd: priceInput,
  thai_bank_name: z._default(optionalLine(100), ""),
  thai_bank_account_number: z._default(optionalLine(40), ""),
  thai_bank_account_name: z._default(optionalLine(100), ""),
  promptpay_id: z._default(promptPayId, ""),
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
