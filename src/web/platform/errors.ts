import { errors, ProductError, type ErrorCode } from "#domain/errors/messages";

/**
 * Returns the error of the catalogue that a reply's `code` names, with the reply's own text. A code that is not known here, such
 * as one of a newer server, becomes `unexpected` with that text.
 */
export function errorOfReply(code: unknown, text: unknown, retryAfter?: number): ProductError {
  const known = typeof code === "string" && Object.hasOwn(errors, code) ? (code as ErrorCode) : undefined;
  const hasText = typeof text === "string" && text !== "" && known !== "unexpected";
  return new ProductError(known ?? "unexpected", {
    ...(hasText ? { text } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** Returns a thrown value as an error of the catalogue. */
export function productErrorOf(thrown: unknown): ProductError {
  return thrown instanceof ProductError ? thrown : new ProductError("unexpected");
}

/** Logs an error (TEXT-2). */
export function logError(thrown: unknown): void {
  console.error(thrown);
}

/** Fallbacks that do not say what was being done. */
const general: readonly ErrorCode[] = ["unexpected", "unavailable"];

/**
 * Returns the text of an error. One that is `unexpected` explains nothing and gets that of `fallback`; so does `offline` where `fallback` says
 * what was being done.
 */
export function messageOf(thrown: unknown, fallback: ErrorCode): string {
  const error = productErrorOf(thrown);
  const explainsLess =
    error.code === "offline" ? !general.includes(fallback) : error.code === "unexpected" && !error.hasOwnText;
  return explainsLess ? errors[fallback].text : error.message;
}

/** Returns the error of a check in the browser that failed, logged like any other error. */
export function refusal(code: ErrorCode): ProductError {
  const error = new ProductError(code);
  logError(error);
  return error;
}

/** Returns whether the user cannot fix an error, so that the contacts are displayed below it (CONTACT-1). */
export function isBeyondUser(thrown: unknown): boolean {
  const { code, status } = productErrorOf(thrown);
  return status >= 500 && code !== "offline" && code !== "auth_unreachable";
}

/** Returns whether something ended because it was cancelled, which is not an error. */
export function isAbort(thrown: unknown): thrown is DOMException {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}

/** Returns whether the same request may succeed if it is repeated, and may have succeeded without a reply. */
export function isTransient(thrown: unknown): boolean {
  const { status, code } = productErrorOf(thrown);
  // The server has refused that request already: only the question for the password could not be loaded.
  return status >= 500 && code !== "part_not_loaded";
}
