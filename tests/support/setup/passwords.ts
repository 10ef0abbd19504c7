import type { PasswordChecker } from "#server/platform/passwords/password-checker";

/** Passwords of the fixtures, which are strong: most tests need no word lists then. */
const strong = new Set(["a fine long password", "correct horse battery"]);

/** Estimates passwords without a process of its own, by the same code. */
export const passwordsInProcess: PasswordChecker = {
  async isGuessable(password, own) {
    if (strong.has(password)) return false;
    const { isGuessable } = await import("#server/platform/passwords/guesses");
    return isGuessable(password, own);
  },
  close: () => Promise.resolve(),
};
