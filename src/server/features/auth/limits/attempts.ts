import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import type { FoundAccounts } from "../queries.ts";
import type { Client } from "../sessions/start.ts";
import { familiarDevice } from "./device.ts";
import { limitKey, networkOf } from "./keys.ts";

/** Where a request comes from, and the device token in its cookie, if any. */
export interface Source extends Client {
  device: string | undefined;
}

/** The limits on one kind of attempt (ACCOUNT-9). */
export interface AttemptLimits {
  /** All attempts of a network, whatever the account. */
  perNetwork: Limit;
  /** Attempts on one account from one network or one familiar device. */
  perPlace: Limit;
  /** Attempts on one account from all familiar devices together: a thief may have the tokens of several. */
  perDevices: Limit;
  /** Attempts on one account from all networks together that are not familiar. */
  perStrangers: Limit;
}

interface Attempt {
  email: string;
  /** What `findByEmailFrom` returns of the address. */
  found: FoundAccounts;
}

/**
 * Counts an attempt on the account of an address. A device or network that has signed in to it before has an allowance of its own,
 * which strangers cannot use up; a familiar device's is separate from its network's. An unfinished sign-up makes nobody familiar.
 * Throws `too_many_requests` with the seconds until the next try is admitted.
 */
export async function limitAttempt(deps: Dependencies, limits: AttemptLimits, attempt: Attempt, from: Source): Promise<void> {
  try {
    await consume(deps, limits, attempt, from);
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    throw new ProductError(error.code, { retryAfter: error.retryAfter, accountId: attempt.found.verified?.id });
  }
}

async function consume(deps: Dependencies, limits: AttemptLimits, { email, found }: Attempt, from: Source): Promise<void> {
  const { verified, lastUse } = found;
  const network = networkOf(from.ip);
  const device = verified && familiarDevice(deps, verified, from.device);
  if (device !== undefined) {
    // Stryker disable next-line StringLiteral: any third part keeps a device apart from a network.
    await deps.limits.consume(limits.perPlace, limitKey(email, "device", device));
    return deps.limits.consume(limits.perDevices, limitKey(email));
  }
  await deps.limits.consume(limits.perNetwork, network);
  await deps.limits.consume(limits.perPlace, limitKey(email, network));
  if (lastUse === undefined) await deps.limits.consume(limits.perStrangers, limitKey(email));
}
