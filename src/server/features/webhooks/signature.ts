import { createHmac } from "node:crypto";

/** What is signed. */
export interface SignedEvent {
  id: string;
  /** When it is sent, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/** Returns the header `webhook-signature` of Standard Webhooks: one signature by each key (WEBHOOK-2). */
export function signatureOf({ id, timestamp, body }: SignedEvent, keys: readonly Buffer[]): string {
  const signedBy = (key: Buffer): string => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return keys.map((key) => `v1,${signedBy(key)}`).join(" ");
}
