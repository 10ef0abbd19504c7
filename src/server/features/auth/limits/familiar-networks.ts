import { createHmac } from "node:crypto";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { networkOf } from "./keys.ts";
import * as queries from "./queries.ts";

/** Networks that are remembered of one account: home, work, a phone that changes its network. */
const mostPerAccount = 20;

/** A use is written once a day, so that a usual sign-in writes nothing. */
const writtenEverySeconds = 24 * 3600;

/** Returns whether somebody has signed in to the verified account of an address from this network before. */
export async function isFamiliarNetwork(deps: Dependencies, email: string, ip: string): Promise<boolean> {
  return (await queries.findLastUse(deps.db, email, networkHash(deps, ip))) !== undefined;
}

/** Remembers the network of a sign-in, at most twenty for each account, in the transaction that has locked the account. */
export async function rememberNetwork(
  deps: Dependencies,
  connection: Transaction,
  account: { id: string; email: string },
  ip: string,
): Promise<void> {
  const hash = networkHash(deps, ip);
  const now = deps.clock.now();
  const lastUse = await queries.findLastUse(connection, account.email, hash);
  // Stryker disable next-line ConditionalExpression: undefined is later than no time.
  if (lastUse !== undefined && lastUse > secondsAfter(now, -writtenEverySeconds)) return;
  await queries.upsertNetwork(connection, { account_id: account.id, network_hash: hash, last_used_at: now }, mostPerAccount);
}

/** Forgets all networks of an account, which then count as unfamiliar. */
export function forgetNetworks(connection: Connection, accountId: string): Promise<void> {
  return queries.deleteNetworks(connection, accountId);
}

/** Keyed, since there are few enough networks to hash them all. */
function networkHash({ secrets }: Dependencies, ip: string): Buffer {
  const named = JSON.stringify(["network", networkOf(ip)]);
  return createHmac("sha256", secrets.codePepper).update(named).digest();
}
