import type { SampleCourse } from "#domain/api/overview";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { removeLiveSessions } from "../live-sessions/service.ts";
import { deleteEmptyModules, removeBytes, removeFoundVideos } from "../videos/service.ts";
import { currentSettings, removeSampleDestinations } from "../wallet-settings/service.ts";
import { findAllSampleLessonIds, findAllSampleLiveSessionIds, isModuleOrderOfSeed } from "./sample-queries.ts";

/** Returns what is left of the sample course (STATS-9). */
export async function findSampleCourse({ db, clock }: Dependencies): Promise<SampleCourse> {
  const [lessons, sessions] = [await findAllSampleLessonIds(db), await findAllSampleLiveSessionIds(db)];
  const { is_sample } = await currentSettings(db, clock.now());
  return { lessons: lessons.length, live_sessions: sessions.length, wallet: is_sample };
}

/**
 * Removes what `npm run seed` added and nobody has changed, with what students watched of it, and returns what went (STATS-9): lessons
 * with their files, live sessions, and sample addresses, whose open quotes end. Repeating it removes nothing.
 */
export async function removeSampleCourse(deps: Dependencies, actor: Actor): Promise<SampleCourse> {
  const [removed, objectIds] = await transaction(deps.db, async (tx) => {
    const at = deps.clock.now();
    const lessons = await removeFoundVideos(tx, findAllSampleLessonIds);
    if (await isModuleOrderOfSeed(tx)) await deleteEmptyModules(tx);
    const sessions = await findAllSampleLiveSessionIds(tx);
    await removeLiveSessions(deps, tx, sessions);
    const wallet = await removeSampleDestinations(tx, at);
    const result = { lessons: lessons.count, live_sessions: sessions.length, wallet };
    if (lessons.count > 0 || sessions.length > 0 || wallet) {
      const subject = { type: "course", id: "sample" } as const;
      await recordAudit(tx, actor, { at, action: "sample-course.remove", subject, details: { before: result } });
    }
    return [result, lessons.objectIds] as const;
  });
  await removeBytes(deps, ...objectIds);
  return removed;
}
