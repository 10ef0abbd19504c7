import { accountField, optionalIdField } from "../settings-fields.ts";
import { ungrouped } from "./account-number.ts";
import { normalisePromptPayId } from "./promptpay.ts";

/** What the owner sets for the Thai bank transfer; without bank and account number it cannot be chosen (QUOTE-5). */
export const thaiBankSettings = {
  thai_bank_name: accountField("Bank", 100),
  thai_bank_account_number: accountField("Account number", 40, { comparable: ungrouped }),
  thai_bank_account_name: accountField("Account name", 100),
  /** Adds a QR code; not every bank's app reads one, so the account stays required. */
  promptpay_id: optionalIdField(
    {
      label: "PromptPay ID",
      hint: "Mobile number, national or tax ID, or e-wallet of the same account: adds a QR code.",
    },
    normalisePromptPayId,
    "promptpay_id_invalid",
  ),
};
