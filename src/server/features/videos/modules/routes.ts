import { forAdmin } from "../../../platform/http/router.ts";
import { orderModules, orderVideos } from "./order.ts";
import { renameModule } from "./rename.ts";

export const moduleRoutes = {
  order: forAdmin.modules.order.handler(async ({ context, input }) => ({
    modules: await orderModules(context.deps, context.actor, input),
  })),
  orderVideos: forAdmin.modules.orderVideos.handler(async ({ context, input }) => ({
    ids: await orderVideos(context.deps, context.actor, input.params.module, input.body),
  })),
  rename: forAdmin.modules.rename.handler(async ({ context, input }) => ({
    name: await renameModule(context.deps, context.actor, input.params.module, input.body),
  })),
};
