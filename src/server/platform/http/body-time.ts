import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body may take hours: an upload, with limits of its own. */
    longBody?: true;
  }
}

const bodySeconds = 30;

/**
 * Cuts a request whose body is not whole after 30 s, with 408 (RFC 9110, section 15.5.9), except on routes marked `longBody`.
 * Node's own `requestTimeout` cannot spare a route, so it is off and this stands in its place; slow headers stay Node's
 * `headersTimeout`.
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

/** Whether a request says that a body follows its headers (RFC 9112, section 6.3). */
export function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function cut({ raw }: FastifyRequest): void {
  if (raw.socket.writable) raw.socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
  raw.destroy();
}
