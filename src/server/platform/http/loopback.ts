import type { FastifyRequest } from "fastify";

const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Whether a request was made on this machine for this machine: a loopback socket, a loopback Host and no forwarding header, so
 * that a reverse proxy in front never opens what is meant for the developer alone.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? "";
  const isLoopbackSocket = address === "::1" || /^(::ffff:)?127\./.test(address);
  return (
    isLoopbackSocket &&
    isLoopbackHost(request.headers.host ?? "") &&
    forwardingHeaders.every((name) => request.headers[name] === undefined)
  );
}

/** Whether a host, with or without a port, is this machine's own name for itself. */
export function isLoopbackHost(host: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(host.replace(/:\d+$/, ""));
}
