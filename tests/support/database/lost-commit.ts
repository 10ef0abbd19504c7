import type pg from "pg";
import { onTestFinished } from "vitest";
import type { TestApp } from "../app.ts";

/**
 * Loses the reply to the next commit of a transaction that has run a statement like `pattern`: PostgreSQL has committed, and the site learns
 * that the connection is lost. Returns whether that has happened. Ends with the test.
 */
export function loseReplyToCommit({ deps }: TestApp, pattern: RegExp): () => boolean {
  let isLost = false;
  const pool = deps.db.$client;
  const watched = new Set<pg.PoolClient>();
  const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<pg.PoolClient>;

  const watch = (client: pg.PoolClient): void => {
    let isMeant = false;
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const watchedQuery = (...given: unknown[]): Promise<unknown> => {
      const [sent] = given as [string | { text: string }];
      const text = typeof sent === "string" ? sent : sent.text;
      isMeant = !text.startsWith("begin") && (isMeant || pattern.test(text));
      const reply = query(...given);
      if (text !== "commit" || !isMeant || isLost) return reply;
      isLost = true;
      return reply.then(() => {
        throw new Error("Connection terminated unexpectedly");
      });
    };
    Object.assign(client, { query: watchedQuery });
    onTestFinished(() => void Reflect.deleteProperty(client, "query"));
  };

  const watchedConnect = async (callback?: unknown): Promise<pg.PoolClient> => {
    // Of a single query, which is no transaction.
    if (callback) return connect(callback);
    const client = await connect();
    if (!watched.has(client)) watch(client);
    watched.add(client);
    return client;
  };
  Object.assign(pool, { connect: watchedConnect });
  onTestFinished(() => void Reflect.deleteProperty(pool, "connect"));
  return () => isLost;
}
