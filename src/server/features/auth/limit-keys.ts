import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Returns a key of fixed length in which no address can be read. */
export function limitKey(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Returns the network that a limit counts as one place: an IPv4 address, or the /64 network that an IPv6 customer has at least. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const parts = address.parts.slice(0, 4).map((part) => part.toString(16));
  return parts.join(":");
}
