import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import type { OptionalMailKind } from "../../mail-choices.ts";

/** Whether the student gets each kind of optional mail. */
export const MailChoices = z.object({
  news: z.boolean(),
  live_session_reminder: z.boolean(),
} satisfies Record<OptionalMailKind, z.ZodMiniBoolean>);
export type MailChoices = z.infer<typeof MailChoices>;

export const mailChoices = {
  get: oc
    .route({ method: "GET", path: "/api/mail-choices", summary: "Which optional mails the student gets" })
    .output(MailChoices),
  put: oc
    .route({ method: "PUT", path: "/api/mail-choices", summary: "Choose optional mails, kinds left out stay as they are" })
    .input(z.partial(MailChoices))
    .output(MailChoices),
};
