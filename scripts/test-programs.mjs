// @ts-check
// How `npm test` calls Vitest and Playwright. A forgotten `.only` would leave all other tests out, and a snapshot that is missing would be written anew:
// here both fail, as they do by themselves only where CI is set.
export const vitestProgram = ["node_modules/vitest/vitest.mjs", "run", "--allowOnly=false", "--update=none"];
export const journeysProgram = ["node_modules/@playwright/test/cli.js", "test", "--forbid-only"];
