// Stands for @node-rs/argon2 in the server's tests (vitest.config.ts): they hash thousands of passwords, and the cost of one is the
// subject of sign-up.test.ts alone, which has the real one back.
import { hash as hashAtCost, type Options } from "@node-rs/argon2/index.js";

export { verify } from "@node-rs/argon2/index.js";

/** Returns a salted hash of the kind that is asked for, at the lowest cost. */
export const hash = (password: string, options: Options): Promise<string> =>
  hashAtCost(password, { ...options, memoryCost: 64, timeCost: 1 });
