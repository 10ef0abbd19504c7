import { randomInt } from "node:crypto";
import { ProductError } from "#domain/errors/messages";
import { decimal } from "#domain/money";
import type { CryptoType, QuotedMethod } from "#domain/payment-methods/methods";
import { ownDigitsCount, widestRange, withOwnDigits } from "#domain/payment-methods/own-digits";
import type { Connection } from "../../../platform/db/database.ts";
import * as queries from "./queries.ts";

/** Amounts that are tried at first: of a range that is half in use, one of them is free but for one time in 256. */
const triedAmounts = 8;

/** Returns a whole number from 0 on and below `below`. */
export type Random = (below: number) => number;

/**
 * Returns the methods with amounts that no open quote and no pending request to the same destination has (QUOTE-8), held until the
 * quote's end: those of the same student's ended quote for the package, else others. Free quotes, methods that are not set up, and methods
 * whose own address tells payments apart (`withOwnAddress`) stay as they are. Throws `unavailable` when every amount of the widest range is in use.
 */
export async function withOwnAmounts(
  connection: Connection,
  methods: QuotedMethod[],
  holder: queries.AmountHolder,
  // Stryker disable next-line ArrayDeclaration: a name that no method has leaves out none.
  withOwnAddress: readonly CryptoType[] = [],
  random: Random = randomInt,
): Promise<QuotedMethod[]> {
  const wanted = methods.filter(
    ({ crypto_type, available, amount_crypto }) =>
      available && decimal(amount_crypto).gt(0) && !withOwnAddress.includes(crypto_type),
  );
  const reserved = await queries.claimOwnAmounts(connection, holder, wanted);
  const isMissing = ({ crypto_type }: QuotedMethod): boolean => !reserved.has(crypto_type);
  for (const { candidatesOf, mayReuse } of attempts(random)) {
    const missing = wanted.filter(isMissing);
    // Stryker disable next-line ConditionFalse: saves queries that would insert nothing.
    if (missing.length === 0) break;
    const candidates = missing.flatMap((method) => candidatesOf(method));
    const inserted = await queries.insertFreeAmounts(connection, holder, candidates, mayReuse);
    for (const [type, amount] of inserted) reserved.set(type, amount);
  }
  if (wanted.some(isMissing)) throw new ProductError("unavailable");
  return methods.map((method) => {
    const amount_crypto = reserved.get(method.crypto_type);
    return amount_crypto === undefined ? method : { ...method, amount_crypto, own_digits: true };
  });
}

interface Attempt {
  candidatesOf: (method: QuotedMethod) => queries.CandidateAmount[];
  /** Whether amounts of ended quotes may be reserved. False at first: the one that ended longest ago may not be among a few. */
  mayReuse: boolean;
}

/** Which amounts are tried, one attempt after the other: some of the range, all of it, then some of ranges ten times as wide each. */
function* attempts(random: Random): Generator<Attempt> {
  const some =
    (times: number) =>
    (method: QuotedMethod): queries.CandidateAmount[] =>
      candidate(
        method,
        Array.from({ length: triedAmounts }, () => 1 + random(ownDigitsCount(method.crypto_type, times))),
      );
  yield { candidatesOf: some(1), mayReuse: false };
  yield {
    candidatesOf: (method) => candidate(method, shuffled(ownDigitsCount(method.crypto_type, 1), random)),
    mayReuse: true,
  };
  for (let times = 10; times <= widestRange; times *= 10) {
    yield { candidatesOf: some(times), mayReuse: false };
    yield { candidatesOf: some(times), mayReuse: true };
  }
}

function candidate({ crypto_type, wallet_address, amount_crypto }: QuotedMethod, units: number[]): queries.CandidateAmount[] {
  return units.map((unit) => ({
    crypto_type,
    destination: wallet_address,
    base_amount: amount_crypto,
    amount: withOwnDigits(crypto_type, amount_crypto, unit),
  }));
}

/** Returns the numbers from 1 to `count` in random order. */
function shuffled(count: number, random: Random): number[] {
  const numbers = Array.from({ length: count }, (_none, index) => index + 1);
  // Stryker disable next-line Boundary: the first number may be exchanged with itself.
  for (let last = count - 1; last > 0; last -= 1) {
    const other = random(last + 1);
    [numbers[last], numbers[other]] = [numbers[other]!, numbers[last]!];
  }
  return numbers;
}
