import { fieldTexts } from "./field-texts.ts";
import { errors, ProductError, type ErrorCode } from "./messages.ts";
import { methodTexts } from "../payment-methods/methods.ts";

/** Texts about a single field. A reply carries them under the code `invalid_input`. */
const inputTexts: Record<string, string> = { ...fieldTexts, ...methodTexts };

/** Texts for a limit whose check sets no code, by what zod calls the issue and the kind of value. */
const limitTexts: Record<string, string> = {
  "too_big number": "Please enter at most {maximum}.",
  "too_small number": "Please enter at least {minimum}.",
  "too_big string": fieldTexts.text_too_long,
  "too_small string": "Please use at least {minimum} characters.",
  "too_big array": "Please choose at most {maximum}.",
  "too_small array": "Please choose at least {minimum}.",
};

/** The part of zod's issues that is read here. */
export interface InputIssue {
  message: string;
  /** Of an issue about a limit: which side of it, of what kind of value, and the limit. */
  code?: string;
  origin?: string;
  maximum?: number | bigint;
  minimum?: number | bigint;
}

/** Returns the error that a schema's issue stands for; a plain `invalid_input` where the schema set no code and it is not about a limit. */
export function errorOfIssue(issue: InputIssue): ProductError {
  const { message: code, maximum, minimum } = issue;
  if (Object.hasOwn(errors, code)) return new ProductError(code as ErrorCode);
  const text = Object.hasOwn(inputTexts, code) ? inputTexts[code] : limitTexts[`${issue.code} ${issue.origin}`];
  if (text === undefined) return new ProductError("invalid_input");
  return new ProductError("invalid_input", {
    text: text.replace("{maximum}", String(maximum)).replace("{minimum}", String(minimum)),
  });
}
