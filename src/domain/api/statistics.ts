import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { subscriptionStatuses } from "../packages.ts";
import { id, pageOf, pageQuery, timestamp } from "./fields.ts";

/** How a video is watched (PATH-5). */
export const VideoStatistics = z.object({
  video_id: id,
  /** Students who began it. */
  started: z.number(),
  done: z.number(),
  /** Of the students who are not done: how many stopped in each tenth of the film. */
  stopped: z.array(z.number()),
});
export type VideoStatistics = z.infer<typeof VideoStatistics>;

/** A student who has a package and has begun nothing (PATH-6). */
export const StudentNotBegun = z.object({
  id,
  email: z.string(),
  full_name: z.string(),
  subscription_status: z.enum(subscriptionStatuses),
  approved_at: timestamp,
  days_since_approval: z.number(),
});
export type StudentNotBegun = z.infer<typeof StudentNotBegun>;

export const statistics = {
  videos: oc
    .route({ method: "GET", path: "/api/videos/statistics", summary: "How each video that was begun is watched" })
    .output(z.object({ videos: z.array(VideoStatistics) })),
  notBegun: oc
    .route({
      method: "GET",
      path: "/api/students-not-begun",
      summary: "Students approved a week ago or more who have begun nothing, the newest approval first",
    })
    .input(z.object(pageQuery))
    .output(pageOf(StudentNotBegun)),
};
