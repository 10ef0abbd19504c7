import { forAdmin, forAdminTrusted } from "../../platform/http/router.ts";
import { findSampleCourse, removeSampleCourse } from "./remove-sample.ts";
import { closeSetup, shopSetup } from "./setup.ts";
import { shopStats } from "./stats.ts";

export const overviewRoutes = {
  stats: forAdminTrusted.overview.stats.handler(({ context, input }) => shopStats(context.deps, input.days)),
  setup: forAdmin.overview.setup.handler(({ context }) => shopSetup(context.deps, context.principal)),
  closeSetup: forAdmin.overview.closeSetup.handler(async ({ context }) => {
    await closeSetup(context.deps, context.actor);
    return { closed: true } as const;
  }),
  sampleCourse: forAdmin.overview.sampleCourse.handler(({ context }) => findSampleCourse(context.deps)),
  removeSampleCourse: forAdmin.overview.removeSampleCourse.handler(({ context }) =>
    removeSampleCourse(context.deps, context.actor),
  ),
};
