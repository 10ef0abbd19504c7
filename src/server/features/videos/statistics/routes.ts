import { forAdmin } from "../../../platform/http/router.ts";
import { listNotBegun, readStatistics } from "./read.ts";

export const statisticsRoutes = {
  videos: forAdmin.statistics.videos.handler(async ({ context }) => ({ videos: await readStatistics(context.deps) })),
  notBegun: forAdmin.statistics.notBegun.handler(({ context, input }) => listNotBegun(context.deps, input)),
};
