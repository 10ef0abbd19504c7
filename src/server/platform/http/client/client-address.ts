import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { forwardingHeaders } from "./loopback.ts";

/**
 * Returns which hops Fastify trusts, counted from the right of `X-Forwarded-For`. `on` means this machine and private networks, where
 * reverse proxies are, and never a whole chain: its left part is whatever the client sent.
 */
export function trustedProxies(setting: boolean | string[]): false | string[] {
  return setting === true ? ["loopback", "uniquelocal"] : setting;
}

/**
 * Makes `request.ip` a valid address that no client can forge (RUN-6), also once the client is gone. Without a trusted proxy it is the
 * socket's, and the first forwarding header is reported, since then all visitors may share one address.
 */
export function checkForwarding(app: FastifyInstance, setting: boolean | string[]): void {
  let hasWarned = false;
  app.addHook("onRequest", (request, _reply, done) => {
    // Node keeps the address of a closed connection only where it was read before.
    void request.socket.remoteAddress;
    if (setting !== false) dropMadeUpHops(request);
    else if (!hasWarned && forwardingHeaders.some((name) => request.headers[name] !== undefined)) {
      hasWarned = true;
      request.log.warn(
        "A request carries forwarding headers, which are ignored. If a reverse proxy is in front of this site, set TRUST_PROXY; without it all visitors share the proxy's address and its limits.",
      );
    }
    done();
  });
}

/** Keeps the hops to the right of the first invalid address. Empty instead of absent: the request did come through a proxy. */
function dropMadeUpHops({ raw: { headers } }: FastifyRequest): void {
  const header = headers["x-forwarded-for"];
  if (header === undefined) return;
  const hops = [header].flat().join(",").split(",");
  const madeUp = hops.findLastIndex((hop) => isIP(hop.trim()) === 0);
  if (madeUp >= 0) headers["x-forwarded-for"] = hops.slice(madeUp + 1).join(",");
}
