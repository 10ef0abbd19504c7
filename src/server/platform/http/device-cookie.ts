/** Over https the prefix makes browsers refuse a cookie that another host of the domain sets (RFC 6265bis, section 4.1.3.2). */
const cookieName = (isSecure: boolean): string => (isSecure ? "__Host-device" : "device");

/** Returns the device token of a `Cookie` header. `isSecure` is whether visitors use https. */
export function deviceInCookie(header: string | undefined, isSecure: boolean): string | undefined {
  return new RegExp(`(?:^|;\\s*)${cookieName(isSecure)}=([\\w.-]{1,200})(?:;|$)`).exec(header ?? "")?.[1];
}

/** Returns the `Set-Cookie` header for a device token. The prefix of its name requires `Path=/`. */
export function deviceCookie(token: string, isSecure: boolean, seconds: number): string {
  const attributes = [`${cookieName(isSecure)}=${token}`, "Path=/", `Max-Age=${seconds}`, "HttpOnly", "SameSite=Strict"];
  return [...attributes, ...(isSecure ? ["Secure"] : [])].join("; ");
}

/** Returns the id at the start of a device token, which stays the same in one browser over its sign-ins; undefined for other text. */
export function deviceIdIn(token: string | undefined): string | undefined {
  return /^([\w-]{22})\./.exec(token ?? "")?.[1];
}
