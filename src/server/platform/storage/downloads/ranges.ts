/** The bytes of a file that a reply holds; `end` is the last byte's position. */
export type Selection = { kind: "whole" } | { kind: "part"; start: number; end: number } | { kind: "none" };

/**
 * Reads a `Range` header for a file of `size` bytes (RFC 9110, section 14). A header that is not understood or asks for several
 * ranges selects the whole file, as section 14.2 allows; a range that starts behind the end selects none (416).
 */
export function selectRange(header: string | undefined, size: number): Selection {
  // Stryker disable next-line StringLiteral: any text without a range does.
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "");
  if (!match) return { kind: "whole" };
  // Stryker disable next-line StringLiteral: both groups are there, if empty.
  const [, first = "", last = ""] = match;
  if (first === "") return last === "" ? { kind: "whole" } : suffix(Number(last), size);
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return { kind: "whole" };
  return start >= size ? { kind: "none" } : { kind: "part", start, end };
}

function suffix(length: number, size: number): Selection {
  return length === 0 ? { kind: "none" } : { kind: "part", start: Math.max(0, size - length), end: size - 1 };
}

/** Whether `If-None-Match` names this entity, by the weak comparison of RFC 9110, section 8.8.3.2. */
export function noneMatchNames(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//, "") === etag);
}

/** Whether a range still counts: `If-Range` is absent or names exactly this entity (RFC 9110, section 13.1.5). */
export function rangeStillCounts(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag;
}
