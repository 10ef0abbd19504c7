import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import * as z from "zod";

/** The parts of a mail that may carry a code or a link. */
const Body = z.object({ text: z.string(), html: z.string(), highlight: z.optional(z.string()) });
export type MailBody = z.infer<typeof Body>;

const nonceLength = 12;
const tagLength = 16;

/** Seals a body with AES-256-GCM (NIST SP 800-38D) for one recipient: nonce, tag, ciphertext. */
export function sealBody(key: Buffer, recipient: string, body: MailBody): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength });
  // Bound to its recipient, so that write access to the table is not enough to redirect a code.
  cipher.setAAD(Buffer.from(recipient));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(body), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Opens what `sealBody` sealed; throws when the key, the recipient or any bit differs. */
export function openBody(key: Buffer, recipient: string, sealed: Buffer): MailBody {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceLength), { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(recipient));
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  const text = Buffer.concat([decipher.update(sealed.subarray(nonceLength + tagLength)), decipher.final()]);
  return Body.parse(JSON.parse(text.toString("utf8")));
}
