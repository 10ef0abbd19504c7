import type * as z from "zod/mini";
import { ProductError } from "#domain/errors/messages";

/** Returns what a schema of the auth protocol makes of an input. Throws `invalid_input`. */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new ProductError("invalid_input");
  return parsed.data;
}
