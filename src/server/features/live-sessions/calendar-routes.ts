import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { id } from "#domain/api/fields";
import type { Dependencies } from "../../dependencies.ts";
import { originOf } from "../../platform/http/origin.ts";
import { readCalendar } from "./calendar/read.ts";

const Query = z.object({ token: z.string(), occurrence: z.optional(id) });

/** `GET /api/live-sessions.ics?token=`: the calendar of the token's student, or with `occurrence=` a file of that one (LIVESESSION-5). */
export function registerCalendar(app: FastifyInstance, deps: Dependencies): void {
  app.get("/api/live-sessions.ics", { config: { opensInTab: true } }, async (request, reply) => {
    const { token, occurrence } = Query.safeParse(request.query).data ?? { token: "", occurrence: undefined };
    const origin = originOf(deps.config.server.publicUrl, request);
    const { text, etag } = await readCalendar(deps, { token, occurrenceId: occurrence, origin, ip: request.ip });
    void reply.headers({
      etag,
      "cache-control": "private, max-age=300",
      // The address opens the calendar, so no Referer may leak it.
      "referrer-policy": "no-referrer",
      "content-disposition": `attachment; filename="${occurrence === undefined ? "live-sessions" : "live-session"}.ics"`,
    });
    if (request.headers["if-none-match"]?.includes(etag) === true) return reply.code(304).send();
    return reply.type("text/calendar; charset=utf-8").send(text);
  });
}
