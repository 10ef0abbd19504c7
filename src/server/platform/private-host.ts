import ipaddr from "ipaddr.js";

const privateRanges = ["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"];

/** Names that no public server has: RFC 6761, RFC 6762, RFC 8375, and `internal`, which ICANN reserved. */
const privateNames = /(^[^.]+|\.(localhost|local|internal|home\.arpa))$/;

/** Returns whether the host of a URL is this machine or on a private network, by its address or its name. Names are not resolved. */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(address) ? privateRanges.includes(ipaddr.process(address).range()) : privateNames.test(hostname);
}
