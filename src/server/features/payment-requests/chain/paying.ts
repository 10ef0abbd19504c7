import { countedTransactions, type ChainFacts } from "#domain/evidence/chain-facts";
import type { Found, PayingTransaction } from "./find-transactions.ts";
import type { Payment } from "./queries.ts";

/**
 * Returns the transactions that pay for the request (CHAIN-5). By amount it is the oldest one that counts for no other request, else
 * the oldest one. A repeated payment of the same sender is added where it counts for no other request. `named` are the ids that the student
 * named, `used` those that count for other requests.
 */
export function payingTransactions(
  { by, transactions }: Found,
  named: string[],
  used: ReadonlySet<string>,
): PayingTransaction[] {
  if (by === "address") return transactions.toSorted((a, b) => Number(b.received) - Number(a.received));
  const first = (by === "amount" ? transactions.find(({ id }) => !used.has(id)) : undefined) ?? transactions[0];
  if (!first) return [];
  const others = transactions.filter(({ id }) => named.includes(id) && id !== first.id);
  const repeated = transactions.filter(
    ({ id, sender }) =>
      id !== first.id && !named.includes(id) && sender !== undefined && sender === first.sender && !used.has(id),
  );
  return [first, ...others, ...repeated];
}

/** Returns the transactions that count for the request and for no other (CHAIN-5). Repeated payments do not: another request may be paid by them. */
export function paymentsInUse({ by, transactions }: Found, named: string[], facts: ChainFacts): Payment[] {
  const counted = countedTransactions(facts).map(({ id }) => id);
  const ids = { address: counted, amount: counted.slice(0, 1), reference: counted.filter((id) => named.includes(id)) }[by];
  const inUse = transactions.filter(({ id }) => ids.includes(id));
  return inUse.map(({ id, destination }) => ({ transaction_id: id, destination }));
}
