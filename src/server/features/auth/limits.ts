import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { Limit } from "../../platform/http/rate-limit.ts";

/**
 * How often one may try. Guessing one account's password is stopped soon from one place and later from many; a whole office
 * behind one address can still sign in. Whoever is shut out by a stranger's guessing gets in by a recovery mail.
 */
export const limits = {
  signInPerAddressAndNetwork: { name: "sign-in-here", points: 10, seconds: 15 * 60 },
  signInPerNetwork: { name: "sign-in-network", points: 150, seconds: 15 * 60 },
  signInPerAddress: { name: "sign-in-address", points: 100, seconds: 3600 },
  signUpPerNetwork: { name: "sign-up-network", points: 60, seconds: 3600 },
  refreshPerNetwork: { name: "refresh-network", points: 3000, seconds: 10 * 60 },
  recoverPerAddress: { name: "recover-address", points: 5, seconds: 3600 },
  recoverPerNetwork: { name: "recover-network", points: 30, seconds: 3600 },
  redeemPerNetwork: { name: "redeem-network", points: 60, seconds: 3600 },
  passwordPerAccount: { name: "password-account", points: 10, seconds: 10 * 60 },
} satisfies Record<string, Limit>;

/** A key of fixed length that keeps no address readable. */
export function limitKey(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Returns who counts as one place: an IPv4 address, or the /64 network that an IPv6 customer has at least. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const parts = address.parts.slice(0, 4).map((part) => part.toString(16));
  return parts.join(":");
}
