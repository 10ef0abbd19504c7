import { oc } from "@orpc/contract";
import * as z from "zod/mini";

/** A setting of the server's environment, as it was at the start of the process. */
export const EnvironmentSetting = z.object({
  /** The variable's name. */
  name: z.string(),
  description: z.string(),
  /** The value where none is set; null for none. */
  fallback: z.nullable(z.string()),
  is_set: z.boolean(),
  /** It may hold a password, a token or a key. */
  is_secret: z.boolean(),
  /** The text that is set; null where none is, and of a secret. */
  value: z.nullable(z.string()),
});
export type EnvironmentSetting = z.infer<typeof EnvironmentSetting>;

export const EnvironmentGroup = z.object({ subject: z.string(), settings: z.array(EnvironmentSetting) });
export type EnvironmentGroup = z.infer<typeof EnvironmentGroup>;

export const environment = {
  list: oc
    .route({ method: "GET", path: "/api/environment", summary: "What is set in the server's environment, without secrets" })
    .output(z.object({ groups: z.array(EnvironmentGroup) })),
};
