/** Texts about fields of the bank account, by the code that a check of the contract reports. */
export const thaiBankTexts = {
  promptpay_id_invalid:
    "A PromptPay ID is a mobile number of 10 digits, a national or tax ID of 13, or an e-wallet of 15 digits.",
};
