/** A character of a script other than Latin, such as Thai; signs and digits of all scripts are not among them. */
const otherScript = /^[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]$/u;

/** What other scripts have letters for in their places, too. */
const signsWithShift: Record<string, string> = { Comma: "<", Period: ">" };

/**
 * Returns what a pressed key means where keys are named by Latin characters: the character that it types, or for one of another script what
 * the same place of the keyboard types on a Latin layout. A key in the row of digits is its digit, unless shift makes it something else.
 */
export function latinKey({ key, code, shiftKey }: Pick<KeyboardEvent, "key" | "code" | "shiftKey">): string {
  const [, letter, digit] = /^(?:Key([A-Z])|Digit(\d))$/.exec(code) ?? [];
  if (digit !== undefined) return shiftKey ? key : digit;
  if (!otherScript.test(key)) return key;
  if (letter !== undefined) return shiftKey ? letter : letter.toLowerCase();
  return (shiftKey ? signsWithShift[code] : undefined) ?? key;
}
