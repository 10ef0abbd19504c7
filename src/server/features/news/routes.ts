import { actingAdmin } from "../../platform/http/origin.ts";
import { forAdmin, forStudent, forVerified } from "../../platform/http/router.ts";
import { deleteNews, publishNews, updateNews } from "./manage.ts";
import { listNews, markRead, newsReach } from "./read.ts";

export const newsRoutes = {
  list: forVerified.news.list.handler(({ context, input }) => listNews(context.deps, context.principal, input)),
  reach: forAdmin.news.reach.handler(({ context }) => newsReach(context.deps)),
  publish: forAdmin.news.publish.handler(({ context, input }) => {
    const publisher = { ...actingAdmin(context), principal: context.principal };
    return publishNews(context.deps, publisher, input.body, input.headers["idempotency-key"]);
  }),
  update: forAdmin.news.update.handler(({ context, input }) => updateNews(context.deps, context, input.params.id, input.body)),
  remove: forAdmin.news.remove.handler(async ({ context, input }) => {
    await deleteNews(context.deps, context.actor, input.params.id);
    return { deleted: true } as const;
  }),
  see: forStudent.news.see.handler(async ({ context, input }) => {
    await markRead(context.deps, context.principal, input.params.id);
    return { seen: true } as const;
  }),
};
