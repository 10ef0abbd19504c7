import type { z } from "zod";

interface Described {
  /** The environment variable. */
  name: string;
  /** Parses the trimmed text of the variable, or the fallback. An empty variable counts as not set. */
  schema: z.ZodType<unknown, string>;
  description: string;
  /** Whether it may hold a password, a token or a key, also within an address: then no page displays it (ENVIRONMENT-1). */
  isSecret: boolean;
}

/** A setting has a fallback, or an example for `.env.example`; without a fallback it is undefined unless set. */
export type Setting = Described & ({ fallback: string; example?: never } | { fallback?: never; example: string });
