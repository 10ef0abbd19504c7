/** Returns an address in its parts; undefined for a text that is none. `URL.canParse` is missing in Safari before 17. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
