import type { FastifyInstance } from "fastify";
import type { Dependencies } from "../../dependencies.ts";
import { forStudent } from "../../platform/http/router.ts";
import { readChoices, saveChoices } from "./choose.ts";
import { unsubscribe } from "./unsubscribe.ts";

export const mailChoiceRoutes = {
  get: forStudent.mailChoices.get.handler(({ context }) => readChoices(context.deps.db, context.principal.id)),
  put: forStudent.mailChoices.put.handler(({ context, input }) => saveChoices(context.deps, context.principal.id, input)),
};

/** A mail program sends the words of RFC 8058, section 3.1, as a form. */
const maxBodyBytes = 1024;

/**
 * `POST /unsubscribe?token=`, for the page of that address and for the one click of mail programs (RFC 8058). Its `GET` is the page, which
 * changes nothing, because mail scanners open links.
 */
export function registerUnsubscribe(app: FastifyInstance, deps: Dependencies): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxBodyBytes }, (_request, _body, parsed) => parsed(null));
    scope.post<{ Querystring: { token?: string | string[] } }>("/unsubscribe", async (request) => {
      await unsubscribe(deps, [request.query.token].flat()[0] ?? "");
      return { unsubscribed: true };
    });
    done();
  });
}
