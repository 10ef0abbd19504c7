import * as z from "zod/mini";
import { normaliseEmail } from "../accounts/accounts.ts";
import type { ErrorCode } from "../errors/messages.ts";
import { isPriceUsd } from "../payment-methods/coin.ts";
import { subscriptionStatuses } from "../packages.ts";
import type { FieldCode } from "../errors/field-texts.ts";

type CheckCode = ErrorCode | FieldCode;

/** Types the code that a check reports, so that a typing error does not compile. */
export const code = (name: CheckCode): CheckCode => name;

/** Lower case, as the database returns it, so that ids compare as text. */
export const id = z.uuid().check(z.toLowerCase());

export const timestamp = z.iso.datetime();

/** A decimal string as the server sends it. */
export const amount = z.string();

/** A coin's USD price as the admin types it. */
export const priceInput = z.string().check(z.trim(), z.refine(isPriceUsd, code("price_invalid")));

/** Text without control characters, as sent. */
export const plainText = (max: number, tooLong: CheckCode = code("text_too_long")) =>
  z.string().check(
    z.maxLength(max, tooLong),
    z.refine((text) => !hasControlCharacter(text), code("text_invisible")),
  );

/** A line of text a person types, without control characters; may be empty. */
export const optionalLine = (max: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(max, code("text_too_long")),
    z.refine((text) => !hasControlCharacter(text), code("text_invisible")),
  );

/** The same, but not empty. */
export const line = (max: number, missing: CheckCode) => optionalLine(max).check(z.minLength(1, missing));

/** The address for alerts in the form in which it is stored; may be empty. Refuses with `alert_email_invalid`. */
export const alertEmail = z.string().check(
  z.trim(),
  z.check((typed) => {
    if (typed.value === "") return;
    try {
      typed.value = normaliseEmail(typed.value);
    } catch {
      // Stryker disable next-line StringLiteral: zod asks for a code, and only the message is read.
      typed.issues.push({ code: "custom", input: typed.value, message: code("alert_email_invalid") });
    }
  }),
);

/** Text of several lines. */
export const paragraphs = (max: number, missing: CheckCode) =>
  z.string().check(z.trim(), z.minLength(1, missing), z.maxLength(max, code("text_too_long")));

function hasControlCharacter(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- finding control characters is the point
  return /[\u0000-\u001f\u007f]/.test(text);
}

/** `limit` and `cursor` of every list (HTTP contract). */
export const pageQuery = {
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))),
  cursor: z.optional(z.string().check(z.maxLength(500))),
};

/** The orders of a list by time. */
export const listSorts = ["newest", "oldest"] as const;
export type ListSort = (typeof listSorts)[number];

/** Has the admin read a list as a student of a tier gets it (VIDEOS-5); refused for anyone else. */
export const previewQuery = { as: z.optional(z.enum(subscriptionStatuses)) };

/** The reply of a list: a page, and the cursor of the next one if there is one. */
export const pageOf = <T extends z.core.SomeType>(item: T) =>
  z.object({ items: z.array(item), next_cursor: z.nullable(z.string()) });

/** Made by the client, the same at every retry, so that a repeated request is stored once. */
export const idempotencyHeaders = z.object({ "idempotency-key": z.optional(plainText(200).check(z.minLength(1))) });

/** A link to a private file. */
export const signedLink = z.object({ url: z.string(), expires_at: timestamp });
