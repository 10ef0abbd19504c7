import { createHmac } from "node:crypto";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection } from "../../../platform/db/database.ts";
import { findByEmail, type FoundAccounts } from "../queries.ts";
import { networkOf } from "./keys.ts";
import * as queries from "./queries.ts";

/** Networks that are remembered of one account: home, work, a phone that changes its network. */
const maxPerAccount = 20;

/** A use is written once a day, so that a usual sign-in writes nothing. */
const writtenEverySeconds = 24 * 3600;

/**
 * Returns the accounts of an address, and when somebody last signed in to the verified one from this network: by one statement whether or not there
 * is an account, so that the response time does not reveal it.
 */
export function findByEmailFrom(deps: Dependencies, email: string, ip: string): Promise<FoundAccounts> {
  return findByEmail(deps.db, email, networkHash(deps, ip));
}

/** Returns whether a use is recent enough that the next writes nothing. */
export function isUseWritten({ clock }: Pick<Dependencies, "clock">, lastUse: Date | undefined): boolean {
  // Stryker disable next-line LeftOperand: undefined is later than no time.
  return lastUse !== undefined && lastUse > secondsAfter(clock.now(), -writtenEverySeconds);
}

/** Remembers the network of a sign-in, at most twenty for each account. `connection` is of the transaction that has locked the account. */
export function rememberNetwork(deps: Dependencies, connection: Connection, accountId: string, ip: string): Promise<void> {
  const row = { account_id: accountId, network_hash: networkHash(deps, ip), last_used_at: deps.clock.now() };
  return queries.upsertNetwork(connection, row, maxPerAccount);
}

/** Forgets all networks of an account, which then count as unfamiliar. */
export function forgetNetworks(connection: Connection, accountId: string): Promise<void> {
  return queries.deleteNetworks(connection, accountId);
}

/** Keyed, since there are few enough networks to hash them all. */
function networkHash({ secrets }: Dependencies, ip: string): Buffer {
  // Stryker disable next-line StringLiteral: any first text sets it apart from what else is hashed.
  const named = JSON.stringify(["network", networkOf(ip)]);
  return createHmac("sha256", secrets.codePepper).update(named).digest();
}
