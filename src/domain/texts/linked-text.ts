/** A piece of a text; with an address where it is a link. */
export interface TextPiece {
  text: string;
  href?: string;
}

// Phones begin a line with a capital.
const address = /https:\/\/[^\s<>"]+/gi;

/** A host without a user name before it, then nothing, a path, a query or a fragment. */
const plainAddress = /^https:\/\/[\p{L}\p{N}][\p{L}\p{N}.-]*(:\d{1,5})?([/?#]|$)/iu;

/** Characters that end a sentence rather than an address; a closing bracket only where none was opened in the address. */
const sentenceEnd = /[.,;:!?'’”…]+$/;

/** Returns the paragraphs of a plain text: blank lines part them. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\r?\n[^\S\n]*\r?\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

/**
 * Returns a plain text in pieces, in which https addresses are links (NEWS-5). An address with a user name is none, since it looks like another
 * site's. The pieces together are the text.
 */
export function linkedPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = withoutSentenceEnd(found);
    if (!plainAddress.test(href)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: href, href });
    end = index + href.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

function withoutSentenceEnd(found: string): string {
  const trimmed = found.replace(sentenceEnd, "");
  const hasLooseBracket = trimmed.endsWith(")") && trimmed.split("(").length < trimmed.split(")").length;
  return hasLooseBracket ? withoutSentenceEnd(trimmed.slice(0, -1)) : trimmed;
}
