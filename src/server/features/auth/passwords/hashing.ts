import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { ProductError } from "#domain/errors/messages";

/** Argon2id with 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet). */
// Stryker disable next-line ObjectLiteral: the package's own cost is the same today.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing runs on libuv's four threads; two stay free for files and DNS. */
const maxRunning = 2;
/** About three seconds of waiting; further calls are refused with `unavailable`. */
const maxWaiting = 200;

/** The hash of no password, verified where there is no account, so that both cases take the same time. */
const dummyHash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IG9mIG91cg$J3CBK5fvfRGQEeTF2c/0PHNBSX3TzqsLyGIu7Gb0mWE";

/** Returns a salted hash in PHC form. Throws `unavailable` when too many calls wait. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(comparable(password), cost));
}

/** Returns whether a password has this hash; false without a hash, after the same time. Throws `unavailable` when too many calls wait. */
export function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  // Stryker disable next-line RightOperand: nobody knows a password of the dummy.
  return inTurn(async () => (await verify(passwordHash ?? dummyHash, comparable(password))) && passwordHash !== undefined);
}

/** The same letters typed on another system may come in another composition (Unicode, UAX 15). */
function comparable(password: string): string {
  return password.normalize("NFC");
}

const turns = pLimit(maxRunning);

function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (turns.pendingCount >= maxWaiting) return Promise.reject(new ProductError("unavailable", { retryAfter: 5 }));
  return turns(work);
}
