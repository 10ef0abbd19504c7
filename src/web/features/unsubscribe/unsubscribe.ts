import { ProductError } from "#domain/errors/messages";
import { errorOfReply, logError } from "../../platform/errors.ts";

/** Turns off the kind of mail of a token, without a session (MAIL-9). Throws `unsubscribe_link_invalid` or `offline`. */
export async function unsubscribe(token: string): Promise<true> {
  const address = `/unsubscribe?${new URLSearchParams({ token }).toString()}`;
  const reply = await fetch(address, { method: "POST" }).catch(() => undefined);
  if (reply?.ok) return true;
  const body = (await reply?.json().catch(() => ({}))) as { code?: unknown; error?: unknown } | undefined;
  const error = body ? errorOfReply(body.code, body.error) : new ProductError("offline");
  logError(error);
  throw error;
}
