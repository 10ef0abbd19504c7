import { decimal, rounded } from "../../money.ts";
import type { PaymentMethod } from "../method.ts";
import type { WalletSettings } from "../settings.ts";
import { ungrouped } from "./account-number.ts";
import { promptPayPayload } from "./promptpay.ts";

/** Baht per USD, fixed (QUOTE-4). */
const bahtPerUsd = "35";

type BankSettings = Pick<
  WalletSettings,
  "thai_bank_name" | "thai_bank_account_number" | "thai_bank_account_name" | "promptpay_id"
>;

/** A transfer in baht to the owner's bank account, by its number or by PromptPay. */
export const thaiBank: PaymentMethod<BankSettings> = {
  name: "Thai Bank Transfer",
  currency: "THB",
  places: 2,
  maxAdded: 99,
  destinationName: "account",
  scan: {
    name: "PromptPay",
    instruction: "Scan or save it for your bank's app. Check the receiver's name before you send.",
  },
  notes: ["Double-check the account before you send.", "Keep the bank's receipt."],
  reference: {
    // Banks and people group the same reference in different ways.
    normalForm: (typed) => typed.toUpperCase().replace(/[\s\p{P}]/gu, ""),
    pattern: /^[A-Z0-9]{4,40}$/,
    description: "A bank reference has 4 to 40 letters and digits.",
    hint: "The bank's reference number helps us find your payment.",
  },
  amountFor: (usd) => rounded(decimal(usd).times(bahtPerUsd), 2),
  usdValue: () => null,
  destination: ({ thai_bank_name: bank, thai_bank_account_number: account }) => (bank && account ? `${bank} ${account}` : ""),
  comparable: ungrouped,
  bank: (settings) => ({
    name: settings.thai_bank_name,
    account_number: settings.thai_bank_account_number,
    account_name: settings.thai_bank_account_name,
    promptpay_id: settings.promptpay_id,
  }),
  code: ({ amount, bank }) => (bank?.promptpay_id ? { text: promptPayPayload(bank.promptpay_id, amount) } : undefined),
};
