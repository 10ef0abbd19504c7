import { forAdmin } from "../../platform/http/router.ts";
import { listReasons, replaceReasons } from "./manage.ts";

export const rejectionReasonRoutes = {
  get: forAdmin.rejectionReasons.get.handler(({ context }) => listReasons(context.deps)),
  put: forAdmin.rejectionReasons.put.handler(({ context, input }) => replaceReasons(context.deps, context.actor, input)),
};
