import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Returns a key of fixed length in which no address can be read. */
export function limitKey(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Returns the network that a limit counts as one place: the /24 of an IPv4 address, or the /56 that an IPv6 customer usually has. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join(".")}.0/24`;
  const [first, second, third, fourth = 0] = address.parts;
  return `${[first, second, third, fourth & 0xff00].map((part = 0) => part.toString(16)).join(":")}::/56`;
}
