import { originOf } from "../../platform/http/origin.ts";
import { forAdmin, forVerified, type RequestContext } from "../../platform/http/router.ts";
import { calendarPath, renewCalendarPath } from "./calendar/link.ts";
import { changeOccurrence } from "./change-occurrence.ts";
import { joinOccurrence } from "./join.ts";
import { listLiveSessions, listOccurrences } from "./list.ts";
import { createLiveSession, deleteLiveSession, updateLiveSession } from "./manage.ts";

const absolute = ({ deps, request }: RequestContext, path: string): { url: string } => ({
  url: originOf(deps.config.server.publicUrl, request) + path,
});

export const liveSessionRoutes = {
  list: forVerified.liveSessions.list.handler(({ context, input }) => listLiveSessions(context.deps, context.principal, input)),
  create: forAdmin.liveSessions.create.handler(({ context, input }) =>
    createLiveSession(context.deps, context.principal, context.actor, input.body, input.headers["idempotency-key"]),
  ),
  update: forAdmin.liveSessions.update.handler(({ context, input }) =>
    updateLiveSession(context.deps, context.principal, context.actor, input.params.id, input.body),
  ),
  remove: forAdmin.liveSessions.remove.handler(async ({ context, input }) => {
    await deleteLiveSession(context.deps, context.actor, input.params.id);
    return { deleted: true as const };
  }),
  occurrences: forVerified.liveSessions.occurrences.handler(({ context, input }) =>
    listOccurrences(context.deps, context.principal, input),
  ),
  changeOccurrence: forAdmin.liveSessions.changeOccurrence.handler(({ context, input }) =>
    changeOccurrence(context.deps, context.principal, context.actor, input.params.id, input.body),
  ),
  join: forVerified.liveSessions.join.handler(async ({ context, input }) => ({
    url: await joinOccurrence(context.deps, context.principal, input.params.id),
  })),
  calendarLink: forVerified.liveSessions.calendarLink.handler(async ({ context }) =>
    absolute(context, await calendarPath(context.deps, context.principal)),
  ),
  renewCalendarLink: forVerified.liveSessions.renewCalendarLink.handler(async ({ context }) =>
    absolute(context, await renewCalendarPath(context.deps, context.principal)),
  ),
};
