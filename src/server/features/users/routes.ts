import { forAdmin, forProvenAdmin } from "../../platform/http/router.ts";
import { removeSecondFactor } from "../auth/service.ts";
import { listUsers } from "./list.ts";
import { deleteUser, setTier } from "./manage.ts";

export const userRoutes = {
  list: forAdmin.users.list.handler(async ({ context, input }) => {
    const { items, next_cursor } = await listUsers(context.deps, input);
    return { users: items, next_cursor };
  }),
  search: forAdmin.users.search.handler(({ context, input }) => listUsers(context.deps, input)),
  setTier: forProvenAdmin.users.setTier.handler(async ({ context, input }) => ({
    user: await setTier(context.deps, context.actor, input),
  })),
  remove: forProvenAdmin.users.remove.handler(async ({ context, input }) => {
    await deleteUser(context.deps, context.actor, input.query.userId);
    return { deleted: true } as const;
  }),
  removeSecondFactor: forProvenAdmin.users.removeSecondFactor.handler(async ({ context, input }) => {
    await removeSecondFactor(context.deps, context.actor, input.query.userId);
    return { removed: true } as const;
  }),
};
