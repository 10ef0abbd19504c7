import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ProductError } from "#domain/errors/messages";
import { refuseConnection } from "./client-errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body is an upload, which may take hours and has its own limits. */
    longBody?: true;
  }
}

const bodySeconds = 30;

/**
 * Ends a request whose body is not complete after 30 s with `request_timed_out` (RFC 9110, section 15.5.9), except on routes with `longBody`.
 * Replaces Node's `requestTimeout`, which has no exceptions. Slow headers are left to Node's `headersTimeout`.
 */
export function limitBodyTime(app: FastifyInstance, seconds = bodySeconds): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (hasBody(request) && request.routeOptions.config.longBody !== true) {
      const timer = setTimeout(() => cut(request, reply), seconds * 1000);
      // Not at the end of the reply, which may be sent before the body is complete.
      request.raw.once("end", () => clearTimeout(timer));
      request.raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
}

/** Returns whether a request announces a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function cut({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.socket.writable && !reply.raw.headersSent) refuseConnection(raw.socket, new ProductError("request_timed_out"));
  else raw.destroy();
}
