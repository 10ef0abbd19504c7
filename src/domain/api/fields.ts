import * as z from "zod/mini";
import { isPriceUsd } from "../wallet-settings.ts";

/** Field schemas that several parts of the contract share. */
/** Lower case, as the database answers it, so that ids compare as text. */
export const id = z.uuid().check(z.toLowerCase());

export const timestamp = z.iso.datetime();

/** A decimal string as the server answers it. */
export const amount = z.string();

/** A coin's USD price as the admin types it. */
export const priceInput = z
  .string()
  .check(z.trim(), z.refine(isPriceUsd, "Please enter a price from 0.01 to 100,000,000 USD with at most 2 decimals."));

/** Text without control characters, as sent. */
export const plainText = (max: number) =>
  z.string().check(
    z.maxLength(max),
    z.refine((text) => !hasControlCharacter(text)),
  );

/** A line of text a person types, without control characters; may be empty. */
export const optionalLine = (max: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(max, `Please use at most ${max} characters.`),
    z.refine((text) => !hasControlCharacter(text), "Please remove the invisible characters."),
  );

/** The same, but not empty. */
export const line = (max: number, missing: string) => optionalLine(max).check(z.minLength(1, missing));

/** Text of several lines. */
export const paragraphs = (max: number, missing: string) =>
  z.string().check(z.trim(), z.minLength(1, missing), z.maxLength(max, `Please use at most ${max} characters.`));

function hasControlCharacter(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- finding control characters is the point
  return /[\u0000-\u001f\u007f]/.test(text);
}

/** `limit` and `cursor` of every list (HTTP contract). */
export const pageQuery = {
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))),
  cursor: z.optional(z.string().check(z.maxLength(500))),
};

export const pageOf = <T extends z.core.SomeType>(item: T) =>
  z.object({ items: z.array(item), next_cursor: z.nullable(z.string()) });

/** A link to a private file. */
export const signedLink = z.object({ url: z.string(), expires_at: timestamp });
