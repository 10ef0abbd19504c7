import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { connectionDefaults, directConnection, newClient, type ConnectionSettings } from "./connections.ts";
import { DatabaseStartError } from "./embedded/errors.ts";

/** Milliseconds until a notification has arrived, which takes one or two. */
const arrivalMs = 5000;

/**
 * Checks that what the site's connections notify arrives at a session of its own: live pages, waiting jobs and the locks of uploads rely on that.
 * Throws a `DatabaseStartError` where a pooler shares connections between transactions, where the two addresses lead to two databases, and where behind a
 * pooler statements outside of transactions, which set nothing, would have other dates or another isolation than the site's.
 */
export async function checkSessions(connection: ConnectionSettings, withinMs = arrivalMs): Promise<void> {
  const direct = directConnection(connection);
  const channel = `check_${randomUUID().replaceAll("-", "")}`;
  const listener = newClient({ ...connectionDefaults, ...direct, query_timeout: arrivalMs });
  const sender = newClient({ ...connectionDefaults, ...connection, query_timeout: arrivalMs });
  try {
    await listener.connect();
    await listener.query(`listen ${channel}`);
    await sender.connect();
    if (direct !== connection) await refuseOwnDefaults(sender);
    const arrival = once(listener, "notification");
    await sender.query("select pg_notify($1, '')", [channel]);
    const hasArrived = await Promise.race([arrival.then(() => true), pause(withinMs, false, { ref: false })]);
    if (!hasArrived) throw new DatabaseStartError(direct === connection ? pooled : apart);
  } finally {
    await Promise.all([listener, sender].map((client) => client.end().catch(() => {})));
  }
}

async function refuseOwnDefaults(sender: pg.Client): Promise<void> {
  const { rows } = await sender.query<{ role: string; database: string }>(`
    select quote_ident(current_user) as role, quote_ident(current_database()) as database
    where current_setting('datestyle') !~ '^ISO' or current_setting('default_transaction_isolation') <> 'read committed'`);
  for (const { role, database } of rows)
    throw new DatabaseStartError(
      `Behind a pooler the site needs dates in the ISO style and read committed as the isolation. Run, and reconnect the pooler: ` +
        `alter role ${role} in database ${database} set datestyle = iso; ` +
        `alter role ${role} in database ${database} set default_transaction_isolation = 'read committed'`,
    );
}

const pooled =
  "DATABASE_URL leads through a pooler that shares connections between transactions. Set DATABASE_DIRECT_URL to the database's own address too";
const apart =
  "DATABASE_DIRECT_URL must lead to the same database as DATABASE_URL, and not through a pooler that shares connections between transactions";
