/** Returns texts with a prefix and `_` before each name. */
export function prefixed<Prefix extends string, Name extends string>(prefix: Prefix, texts: Record<Name, string>) {
  const entries = Object.entries(texts).map(([name, text]) => [`${prefix}_${name}`, text]);
  return Object.fromEntries(entries) as Record<`${Prefix}_${Name}`, string>;
}
