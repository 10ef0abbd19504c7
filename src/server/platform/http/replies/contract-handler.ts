import { StandardOpenAPIHandler, type StandardOpenAPIHandlerOptions } from "@orpc/openapi/standard";
import type { Router } from "@orpc/server";
import type { Contract } from "#domain/api/contract";
import type { RequestContext } from "../router.ts";
import { FinishedReply } from "./finished-reply.ts";

/** Replies to a call of the contract, and as to an unknown path where there is none. */
export type ReplyToCall = (context: RequestContext) => Promise<RequestContext["reply"]>;

/** Returns the function that replies to the calls of the contract. oRPC's own for Fastify has no way for a finished reply. */
export function contractHandler(
  router: Router<Contract, RequestContext>,
  options: StandardOpenAPIHandlerOptions<RequestContext>,
): ReplyToCall {
  const handler = new StandardOpenAPIHandler(router, options);
  return async (context) => {
    const { request, reply } = context;
    const { matched, response } = await handler.handle(
      {
        // HEAD is GET without a reply body (RFC 9110, section 9.3.2).
        method: request.method === "HEAD" ? "GET" : request.method,
        url: new URL(`http://localhost${request.url}`),
        headers: request.headers,
        // Fastify has read the body, if any, within its limits.
        body: () => Promise.resolve(request.body),
        signal: undefined,
      },
      { context },
    );
    if (!matched) {
      reply.callNotFound();
      return reply;
    }
    const { status, headers, body } = response;
    reply.code(status).headers(headers);
    if (body !== undefined) reply.type("application/json");
    return reply.send(body instanceof FinishedReply ? body.json : JSON.stringify(body));
  };
}
