import type { FastifyRequest } from "fastify";
import { isLoopbackHost } from "./loopback.ts";

/** The site's own origin: `PUBLIC_URL`, else what the visitor typed. */
export function originOf(publicUrl: string | undefined, request: FastifyRequest): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

/**
 * The origin for a link in a mail to somebody who may not be the one who asks: `PUBLIC_URL`, else the request's own only while
 * it is this machine's. Any other Host header is a claim of the sender, who could have a stranger mailed a link to his own site.
 */
export function originForMail(publicUrl: string | undefined, request: FastifyRequest): string | undefined {
  if (publicUrl !== undefined || isLoopbackHost(request.host)) return originOf(publicUrl, request);
  return undefined;
}
