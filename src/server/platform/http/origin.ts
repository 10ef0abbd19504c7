import type { FastifyRequest } from "fastify";

/** The site's own origin: `PUBLIC_URL`, else what the visitor typed. */
export function originOf(publicUrl: string | undefined, request: FastifyRequest): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}
