import { fieldTexts } from "./field-texts.ts";
import { errors, ProductError, type ErrorCode } from "./messages.ts";
import { methodTexts } from "../payment-methods/methods.ts";

/** Texts about a single field. A reply carries them under the code `invalid_input`. */
const inputTexts: Record<string, string> = { ...fieldTexts, ...methodTexts };

/** The part of zod's issues that is read here. */
export interface InputIssue {
  message: string;
  /** The limit that was exceeded, where there is one. */
  maximum?: number | bigint;
}

/** Returns the error that a schema's issue stands for; a plain `invalid_input` where the schema set no code. */
export function errorOfIssue({ message: code, maximum }: InputIssue): ProductError {
  if (Object.hasOwn(errors, code)) return new ProductError(code as ErrorCode);
  const text = Object.hasOwn(inputTexts, code) ? inputTexts[code] : undefined;
  if (text === undefined) return new ProductError("invalid_input");
  return new ProductError("invalid_input", { text: text.replace("{maximum}", String(maximum)) });
}
