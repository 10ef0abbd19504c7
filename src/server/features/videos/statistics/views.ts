import type { StudentNotBegun, VideoStatistics } from "#domain/api/statistics";
import { filmParts } from "#domain/watch/statistics";
import type { NotBegunRow, PartCount } from "./queries.ts";

/** Returns one entry for each video of the counts. */
export function statisticsViews(counts: readonly PartCount[]): VideoStatistics[] {
  const byVideo = new Map<string, VideoStatistics>();
  for (const { video_id, done, part, students } of counts) {
    const view = byVideo.get(video_id) ?? { video_id, started: 0, done: 0, stopped: Array<number>(filmParts).fill(0) };
    byVideo.set(video_id, view);
    view.started += students;
    if (done) view.done += students;
    else if (part !== null) view.stopped[part]! += students;
  }
  return [...byVideo.values()];
}

/** Returns a student who has begun nothing, with whole days since the approval. */
export function notBegunView({ approved_at_exact, ...row }: NotBegunRow, now: Date): StudentNotBegun {
  const approved = new Date(approved_at_exact);
  const days_since_approval = Math.floor((now.getTime() - approved.getTime()) / 86_400_000);
  return { ...row, approved_at: approved.toISOString(), days_since_approval };
}
