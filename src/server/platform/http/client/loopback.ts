import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";

/** What reverse proxies add to a request. */
export const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Returns whether a request comes from this machine: a loopback socket, a loopback Host and no forwarding header. Requests through
 * a reverse proxy do not count.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  return (
    isLoopbackAddress(request.socket.remoteAddress) &&
    isLoopbackHost(request.headers.host ?? "") &&
    forwardingHeaders.every((name) => request.headers[name] === undefined)
  );
}

function isLoopbackAddress(address = ""): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** Returns whether a host, with or without a port, is a loopback name. */
export function isLoopbackHost(host: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(host.replace(/:\d+$/, ""));
}
