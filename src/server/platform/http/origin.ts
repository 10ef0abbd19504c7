import type { FastifyRequest } from "fastify";
import type { Dependencies } from "../../dependencies.ts";
import type { Actor } from "../audit.ts";
import { isLoopbackHost } from "./client/loopback.ts";

/** Returns the site's origin: `PUBLIC_URL`, else the origin of the request. */
export function originOf(publicUrl: string | undefined, request: FastifyRequest): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

/** Returns whether visitors use https: by `PUBLIC_URL` too, since a proxy that TRUST_PROXY does not name passes requests on over http. */
export function isOverHttps(publicUrl: string | undefined, request: FastifyRequest): boolean {
  return originOf(publicUrl, request).startsWith("https:");
}

/** Returns the origin for a link in a mail that no request asked for: `PUBLIC_URL`, else this machine's (MAIL-3). */
export function originWithoutRequest({ publicUrl, port }: { publicUrl: string | undefined; port: number }): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/**
 * Returns the origin for a link in a mail to somebody other than the sender of the request: `PUBLIC_URL`, else the request's own if
 * it is a loopback address. Any other Host header is not trusted (MAIL-3): its sender could have others mailed links to a foreign site.
 */
export function originForMail(publicUrl: string | undefined, request: FastifyRequest): string | undefined {
  if (publicUrl !== undefined || isLoopbackHost(request.host)) return originOf(publicUrl, request);
  return undefined;
}

/** The admin who acts, and where links in mails about it lead to; undefined when the request's own origin is not trusted. */
export interface ActingAdmin {
  actor: Actor;
  origin: string | undefined;
}

/** Returns the admin of a request. */
export function actingAdmin(context: {
  deps: Pick<Dependencies, "config">;
  request: FastifyRequest;
  actor: Actor;
}): ActingAdmin {
  const { deps, request, actor } = context;
  return { actor, origin: originForMail(deps.config.server.publicUrl, request) };
}
