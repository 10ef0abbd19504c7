import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { directConnection, newClient, type ConnectionSettings } from "./connections.ts";
import { connectionDefaults } from "./database.ts";
import { DatabaseStartError } from "./embedded/errors.ts";

/** Milliseconds until a notification has arrived, which takes one or two. */
const arrivalMs = 5000;

/**
 * Checks that what the site's connections notify arrives at a session of its own: live pages, waiting jobs and the locks of uploads rely on that.
 * Throws a `DatabaseStartError` where a pooler shares connections between transactions, or where the two addresses lead to two databases.
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
    const arrival = once(listener, "notification");
    await sender.query("select pg_notify($1, '')", [channel]);
    const hasArrived = await Promise.race([arrival.then(() => true), pause(withinMs, false, { ref: false })]);
    if (!hasArrived) throw new DatabaseStartError(direct === connection ? pooled : apart);
  } finally {
    await Promise.all([listener, sender].map((client) => client.end().catch(() => {})));
  }
}

const pooled =
  "DATABASE_URL leads through a pooler that shares connections between transactions. Set DATABASE_DIRECT_URL to the database's own address too";
const apart =
  "DATABASE_DIRECT_URL must lead to the same database as DATABASE_URL, and not through a pooler that shares connections between transactions";
