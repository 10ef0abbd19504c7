import * as z from "zod";
import { seal, unseal } from "../sealing.ts";

/** The parts of a mail that may carry a code or a link. */
const Body = z.object({
  text: z.string(),
  html: z.string(),
  highlight: z.optional(z.string()),
  unsubscribeUrl: z.optional(z.string()),
  /** In here, since as a column it would let whoever writes to the table have any mail sealed for an address of their own. */
  accountId: z.optional(z.string()),
});
export type MailBody = z.infer<typeof Body>;

/** Seals a body for one recipient, so that write access to the table is not enough to redirect a code. */
export function sealBody(key: Buffer, recipient: string, body: MailBody): Buffer {
  return seal(key, recipient, Buffer.from(JSON.stringify(body)));
}

/** Opens what `sealBody` sealed; throws when the key, the recipient or any bit differs. */
export function openBody(key: Buffer, recipient: string, sealed: Buffer): MailBody {
  return Body.parse(JSON.parse(unseal(key, recipient, sealed).toString("utf8")));
}
