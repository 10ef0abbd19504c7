import type { FastifyRequest } from "fastify";

/**
 * Returns whether the browser has Chromium's engine, by the client hint that Chromium sends over https and to localhost, and no other
 * engine does (User-Agent Client Hints, section 3.1).
 */
export function isChromium({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return headers["sec-ch-ua"]?.includes('"Chromium"') === true;
}
