import { errors, ProductError, type ErrorCode } from "#domain/messages";

const codes = new Set<string>(Object.keys(errors));

/** An error of the catalogue from what the server answered; its own text is kept, even under a code that is not known here. */
export function answeredError(code: unknown, text: unknown, retryAfter?: number): ProductError {
  const known = typeof code === "string" && codes.has(code) ? (code as ErrorCode) : "unexpected";
  const details = {
    ...(typeof text === "string" && text !== "" ? { text } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
  return new ProductError(known, details);
}

/** Any thrown thing as an error of the catalogue; a fetch that found no server becomes `offline`. */
export function productErrorOf(thrown: unknown): ProductError {
  if (thrown instanceof ProductError) return thrown;
  if (thrown instanceof TypeError && /fetch|network|load failed/i.test(thrown.message)) return new ProductError("offline");
  return new ProductError("unexpected");
}

/** Every error is also logged (specification, section 8). */
export function logError(thrown: unknown): void {
  console.error(thrown);
}

/** What the person reads: the server's own words where it had any, else the text of what was being done. */
export function messageOf(thrown: unknown, fallback: ErrorCode): string {
  const error = productErrorOf(thrown);
  const saysNothing = error.message === errors.unexpected.text || error.code === "offline";
  return saysNothing ? errors[fallback].text : error.message;
}

/** A check in the browser that failed: logged like any other error, and given back as its text. */
export function refusal(code: ErrorCode): string {
  const error = new ProductError(code);
  logError(error);
  return error.message;
}

/** Whether asking again may help. */
export function isPassing(thrown: unknown): boolean {
  const { status } = productErrorOf(thrown);
  return status >= 500;
}
