import { bitcoinAddressFaults } from "./bitcoin-address.ts";
import { ethereumAddressFaults } from "./ethereum-address.ts";
import { errors, ProductError, type ErrorCode } from "./messages.ts";
import { promptPayFault } from "./promptpay.ts";

/** Texts about a single field. A reply carries them under the code `invalid_input`. */
const inputTexts = {
  text_too_long: "Please use at most {maximum} characters.",
  text_invisible: "Please remove the invisible characters.",
  price_invalid: "Please enter a price from 0.01 to 100,000,000 USD with at most 2 decimals.",
  coupon_code_invalid: "Please use 1 to 40 upper-case letters, digits, - or _.",
  percent_invalid: "Please enter a percent from 0 to 100 with at most 2 decimals.",
  percent_out_of_range: "A percent from 0 to 100.",
  title_missing: "Please enter a title.",
  description_missing: "Please enter a description.",
  module_missing: "Please enter a module.",
  order_index_too_small: "The order index starts at 1.",
  address_missing: "Please enter the address.",
  current_password_missing: "Please enter your current password.",
  promptpay_id_invalid: promptPayFault,
  ...prefixed("bitcoin_address", bitcoinAddressFaults),
  ...prefixed("ethereum_address", ethereumAddressFaults),
};

/** What a schema of the contract sets as an issue's message: a code of the catalogue, or of a text about a field. */
export type InputCode = ErrorCode | keyof typeof inputTexts;

/** The part of zod's issues that is read here. */
export interface InputIssue {
  message: string;
  /** The limit that was exceeded, where there is one. */
  maximum?: number | bigint;
}

/** Returns the error that a schema's issue stands for; a plain `invalid_input` where the schema set no code. */
export function errorOfIssue({ message: code, maximum }: InputIssue): ProductError {
  if (Object.hasOwn(errors, code)) return new ProductError(code as ErrorCode);
  if (!Object.hasOwn(inputTexts, code)) return new ProductError("invalid_input");
  const text = inputTexts[code as keyof typeof inputTexts];
  return new ProductError("invalid_input", { text: text.replace("{maximum}", String(maximum)) });
}

function prefixed<Prefix extends string, Fault extends string>(prefix: Prefix, texts: Record<Fault, string>) {
  const entries = Object.entries(texts).map(([fault, text]) => [`${prefix}_${fault}`, text]);
  return Object.fromEntries(entries) as Record<`${Prefix}_${Fault}`, string>;
}
