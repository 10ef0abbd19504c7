import { ProductError } from "#domain/errors/messages";
import { receiveChain, type ReceiveChain } from "#domain/payment-methods/bitcoin/derive";
import { extendedKeyFaults } from "#domain/payment-methods/bitcoin/texts";
import type { Connection } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";
import { givableAt } from "./reuse.ts";
import { claimFreeAddress } from "./reuse-queries.ts";

/** The chain of the key that was used last: making one takes as long as two addresses. */
let cached: { key: string; chain: ReceiveChain } | undefined;

function chainOf(key: string): ReceiveChain {
  // Stryker disable next-line ConditionTrue: saves time.
  if (cached?.key !== key) cached = { key, chain: receiveChain(key) };
  return cached.chain;
}

/** Throws `invalid_input` with the reason when no address can be derived from a key that was typed correctly. */
export function requireUsableKey(key: string): void {
  if (key === "") return;
  try {
    chainOf(key).addressAt(0);
  } catch {
    throw new ProductError("invalid_input", { text: extendedKeyFaults.not_a_key });
  }
}

/**
 * Returns an address of the account's key for a quote (QUOTE-7): that of the same student's ended quote for the package, if no payment
 * request has used it, else one that is free again (QUOTE-9), else the next one that nobody ever had. Throws on the foreign key of a deleted account. A process that ends
 * in between skips an address and repeats none.
 */
export async function giveBitcoinAddress(connection: Connection, key: string, holder: queries.AddressHolder): Promise<string> {
  const own = await queries.claimOwnAddress(connection, key, holder);
  if (own !== undefined) return own;
  const free = await claimFreeAddress(connection, key, holder, givableAt(holder.now));
  if (free !== undefined) return free;
  const { index, address } = await nextAddress(connection, key);
  await queries.insertAddress(connection, {
    xpub: key,
    index,
    address,
    user_id: holder.userId,
    package_type: holder.packageType,
    given_at: holder.now,
    held_until: holder.until,
  });
  return address;
}

/** Skips addresses that the owner used before as the single one, since it may be of the same wallet. */
async function nextAddress(connection: Connection, key: string): Promise<{ index: number; address: string }> {
  for (;;) {
    const index = await queries.incrementIndex(connection, key);
    const address = chainOf(key).addressAt(index);
    if (await queries.isAddressUnused(connection, address)) return { index, address };
  }
}
