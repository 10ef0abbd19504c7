import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body is an upload, which may take hours and has its own limits. */
    longBody?: true;
  }
}

const bodySeconds = 30;

/**
 * Ends a request whose body is not complete after 30 s with 408 (RFC 9110, section 15.5.9), except on routes with `longBody`.
 * Replaces Node's `requestTimeout`, which has no exceptions. Slow headers are left to Node's `headersTimeout`.
 */
export function limitBodyTime(app: FastifyInstance, seconds = bodySeconds): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (hasBody(request) && request.routeOptions.config.longBody !== true) {
      const timer = setTimeout(() => cut(request), seconds * 1000);
      request.raw.once("end", () => clearTimeout(timer));
      reply.raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
}

/** Returns whether a request announces a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function cut({ raw }: FastifyRequest): void {
  if (raw.socket.writable) raw.socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
  raw.destroy();
}
