import { sql } from "drizzle-orm";
import type pg from "pg";
import { BurstyRateLimiter, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { ProductError } from "#domain/errors/messages";
import type { Removal } from "../retention/job.ts";

/** At most `points` calls of `name` per key in `seconds` (ACCOUNT-7). */
export interface Limit {
  name: string;
  points: number;
  seconds: number;
  /** Seconds after which one more call is admitted once the points are used up: slower, instead of shut until the window ends. */
  thenEverySeconds?: number;
}

export interface RateLimits {
  /** Counts a call. Throws `too_many_requests` with the seconds to wait when it exceeds the limit. */
  consume(limit: Limit, key: string): Promise<void>;
  /** Returns whether the points of a key are used up, so that calls are refused or slowed down. */
  isUsedUp(limit: Limit, key: string): Promise<boolean>;
}

/** Counts a call and returns whether it is within the limit. */
export async function isAdmitted(limits: RateLimits, limit: Limit, key: string): Promise<boolean> {
  try {
    await limits.consume(limit, key);
    return true;
  } catch (error) {
    if (error instanceof ProductError && error.code === "too_many_requests") return false;
    throw error;
  }
}

// Stryker disable next-line ArrowFunction: undefined is awaited and read as these are.
export const noRateLimits: RateLimits = { consume: () => Promise.resolve(), isUsedUp: () => Promise.resolve(false) };

/** A counter that ends later than its window allows was stored by a clock that was wrong, and refuses nothing. */
class WindowLimiter extends RateLimiterPostgres {
  #isCredible({ msBeforeNext }: RateLimiterRes): boolean {
    return msBeforeNext <= (this.duration + clockToleranceSeconds) * 1000;
  }

  override async consume(key: string): Promise<RateLimiterRes> {
    try {
      return await super.consume(key);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes) || this.#isCredible(refused)) throw refused;
      await this.delete(key);
      return super.consume(key);
    }
  }

  override async get(key: string): Promise<RateLimiterRes | null> {
    const counted = await super.get(key);
    return counted && this.#isCredible(counted) ? counted : null;
  }
}

/** Returns limits counted in PostgreSQL, shared by all processes. */
export function postgresRateLimits(pool: pg.Pool): RateLimits {
  const window = (keyPrefix: string, points: number, duration: number): WindowLimiter =>
    new WindowLimiter({
      storeClient: pool,
      // Stryker disable next-line StringLiteral: without it the pool is taken for a client, which has the same queries.
      storeType: "pool",
      tableName: "rate_limits",
      tableCreated: true,
      // The retention job deletes old counters.
      // Stryker disable next-line BooleanLiteral: no test waits for the timer of five minutes that would delete them too.
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
    });
  const limiterOf = ({ name, points, seconds, thenEverySeconds }: Limit): WindowLimiter | BurstyRateLimiter =>
    thenEverySeconds === undefined
      ? window(name, points, seconds)
      : // One of the points is the steady one.
        new BurstyRateLimiter(window(`${name}-steady`, 1, thenEverySeconds), window(name, points - 1, seconds));
  return {
    async isUsedUp(limit, key) {
      const points = limit.thenEverySeconds === undefined ? limit.points : limit.points - 1;
      const counted = await window(limit.name, points, limit.seconds).get(key);
      return counted !== null && counted.consumedPoints > points;
    },
    async consume(limit, key) {
      try {
        await limiterOf(limit).consume(key);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw new ProductError("too_many_requests", { retryAfter: Math.ceil(refused.msBeforeNext / 1000) });
      }
    },
  };
}

/** Deletes counters whose window has ended. */
export const rateLimitRemovals: readonly Removal[] = [
  {
    name: "rate limits",
    async remove(connection, now, limit) {
      const { rowCount } = await connection.execute(sql`
        delete from rate_limits where key = any(array(
          select key from rate_limits where expire < ${now.getTime()} limit ${limit} for update skip locked
        ))`);
      return rowCount ?? 0;
    },
  },
];
