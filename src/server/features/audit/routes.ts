import { forAdmin } from "../../platform/http/router.ts";
import { listAudit } from "./read.ts";

export const auditRoutes = {
  list: forAdmin.audit.list.handler(({ context, input }) => listAudit(context.deps, input)),
};
