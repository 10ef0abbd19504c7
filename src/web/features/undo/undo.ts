import type { UndoPreview, UndoResult } from "#domain/api/payments/guard";
import { ProductError } from "#domain/errors/messages";
import { errorOfReply, logError } from "../../platform/errors.ts";

/** Returns what the link of a token undoes, and changes nothing (GUARD-2). Throws the call's own error, or `offline`. */
export const previewUndo = (token: string): Promise<UndoPreview> => post("/api/undo/preview", token);

/** Undoes the change of a token, without a session. Throws as `previewUndo` does. */
export const undoChange = (token: string): Promise<UndoResult> => post("/api/undo", token);

async function post<Reply>(path: string, token: string): Promise<Reply> {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(path, { method: "POST", headers, body: JSON.stringify({ token }) }).catch(() => undefined);
  const body = (await reply?.json().catch(() => ({}))) as { code?: unknown; error?: unknown } | undefined;
  if (reply?.ok) return body as Reply;
  const error = body ? errorOfReply(body.code, body.error) : new ProductError("offline");
  logError(error);
  throw error;
}
