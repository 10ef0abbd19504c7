import { desc, eq, sql } from "drizzle-orm";
import type { Connection } from "../../platform/db/database.ts";
import { auditLog, liveSessions, videos } from "../../platform/db/schema.ts";

/** The actor of `npm run seed` in the audit log, by which its rows are found. It is no address that an account can have. */
export const seedActor = "npm run seed";

/**
 * Returns the lessons that are as `npm run seed` added them: their audit entry has what they were, and nobody has changed their
 * materials. So lessons that the seller changed count as the seller's own; their place in the course does not matter.
 */
export async function findAllSampleLessonIds(connection: Connection): Promise<string[]> {
  const { rows } = await connection.execute<{ id: string }>(sql`
    select ${videos.id} from (
      select subject_id, coalesce(details -> 'after', details) as added from ${auditLog}
      where actor_email = ${seedActor} and action = 'video.create'
    ) as made
    join ${videos} on ${videos.id} = made.subject_id::uuid
    where (${videos.title}, ${videos.description}, ${videos.module}, ${videos.package_type}, ${videos.object_id}::text)
        = (added ->> 'title', added ->> 'description', added ->> 'module', added ->> 'package_type', added ->> 'object_id')
      and not exists (
        select from ${auditLog} as change
        where change.subject_id = made.subject_id and change.actor_email <> ${seedActor} and change.action <> 'video.update'
      )`);
  return rows.map(({ id }) => id);
}

/** Returns whether nobody has ordered the modules since `npm run seed` did. */
export async function isModuleOrderOfSeed(connection: Connection): Promise<boolean> {
  const [order] = await connection
    .select({ by: auditLog.actor_email })
    .from(auditLog)
    .where(eq(auditLog.action, "modules.order"))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return order?.by === seedActor;
}

/** Returns the live sessions that `npm run seed` added and nobody has changed since. */
export async function findAllSampleLiveSessionIds(connection: Connection): Promise<string[]> {
  const { rows } = await connection.execute<{ id: string }>(sql`
    select ${liveSessions.id} from ${auditLog} as made
    join ${liveSessions} on ${liveSessions.id} = made.subject_id::uuid
    where made.actor_email = ${seedActor} and made.action = 'live-session.create'
      and not exists (
        select from ${auditLog} as change where change.subject_id = made.subject_id and change.actor_email <> ${seedActor}
      )`);
  return rows.map(({ id }) => id);
}
