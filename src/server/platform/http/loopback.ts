import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";

const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Whether a request was made on this machine for this machine: a loopback socket, a loopback Host and no forwarding header, so
 * that a reverse proxy in front never opens what is meant for the developer alone.
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

/** Whether a host, with or without a port, is this machine's own name for itself. */
export function isLoopbackHost(host: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(host.replace(/:\d+$/, ""));
}
