import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Over https the prefix makes browsers refuse a cookie that another host of the domain sets (RFC 6265bis, section 4.1.3.2). */
const cookieName = (isSecure: boolean): string => (isSecure ? "__Host-device" : "device");

/** Returns the device token of a `Cookie` header. `isSecure` is whether visitors use https. */
export function deviceInCookie(header: string | undefined, isSecure: boolean): string | undefined {
  return new RegExp(`(?:^|;\\s*)${cookieName(isSecure)}=([\\w.-]{1,200})(?:;|$)`).exec(header ?? "")?.[1];
}

/** Seconds for which a browser keeps its device token: 180 days. */
export const deviceSeconds = 180 * 24 * 3600;

/** Returns the `Set-Cookie` header for a device token. The prefix of its name requires `Path=/`. */
export function deviceCookie(token: string, isSecure: boolean): string {
  const attributes = [`${cookieName(isSecure)}=${token}`, "Path=/", `Max-Age=${deviceSeconds}`, "HttpOnly", "SameSite=Strict"];
  return [...attributes, ...(isSecure ? ["Secure"] : [])].join("; ");
}

/** Returns the id at the start of a device token, which stays the same in one browser over its sign-ins; undefined for other text. */
export function deviceIdIn(token: string | undefined): string | undefined {
  return /^([\w-]{22})\./.exec(token ?? "")?.[1];
}

export function newDeviceId(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * Returns the id in the device cookie of the browser that calls, and gives it a cookie if it has none (DEVICE-3). Undefined for a program,
 * and for a page at another address than `origin`, whose cookie requests to `origin` do not carry.
 */
export function deviceIdOfBrowser(request: FastifyRequest, reply: FastifyReply, origin: string): string | undefined {
  // Browsers name the page in every POST, and programs do not.
  if (request.headers.origin !== origin) return undefined;
  const isSecure = origin.startsWith("https:");
  const knownId = deviceIdIn(deviceInCookie(request.headers.cookie, isSecure));
  if (knownId !== undefined) return knownId;
  const id = newDeviceId();
  // Without a seal, so that it makes the device familiar to no account (ACCOUNT-9).
  reply.header("set-cookie", deviceCookie(`${id}.unsealed`, isSecure));
  return id;
}
