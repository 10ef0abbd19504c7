import * as z from "zod/mini";

/** The codes of what is wrong with an input, each with its field. */
export const faults = (schema: z.ZodMiniType, input: unknown): string[] =>
  z.safeParse(schema, input).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
