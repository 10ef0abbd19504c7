import { forAdmin } from "../../platform/http/router.ts";

export const environmentRoutes = {
  /** ENVIRONMENT-1: read at the start, when the texts of secrets are left out. */
  list: forAdmin.environment.list.handler(({ context }) => ({ groups: context.deps.config.environment })),
};
