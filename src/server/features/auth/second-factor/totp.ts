import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { base32nopad } from "@scure/base";

/** Seconds of one step, and digits of a code: the defaults of every authenticator app. */
const stepSeconds = 30;
const digits = 6;

/** Steps around the current one whose codes are accepted, for clocks that differ and people who type slowly (RFC 6238, section 5.2). */
const acceptedDrift = [0, -1, 1];

/** Returns a secret of 160 bits, the length of the hash (RFC 4226, section 4, R6). */
export function newSecret(): Buffer {
  return randomBytes(20);
}

/** Returns a secret as authenticator apps take it: base32 without padding. */
export function secretText(secret: Buffer): string {
  return base32nopad.encode(secret);
}

/** Returns the address that authenticator apps read from a QR code (Key URI Format). */
export function keyUri(secret: Buffer, about: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(about.issuer)}:${encodeURIComponent(about.account)}`;
  const parameters = `secret=${secretText(secret)}&issuer=${encodeURIComponent(about.issuer)}`;
  return `otpauth://totp/${label}?${parameters}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}

/** Returns the time step of a timestamp (RFC 6238, section 4.2). */
export function stepAt(time: Date): number {
  return Math.floor(time.getTime() / 1000 / stepSeconds);
}

/** Returns the code of a step (RFC 4226, section 5.3, with HMAC-SHA-1). */
export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hmac = createHmac("sha1", secret).update(counter).digest();
  const offset = hmac.readUInt8(hmac.length - 1) & 0xf;
  const truncated = hmac.readUInt32BE(offset) & 0x7fffffff;
  return String(truncated % 10 ** digits).padStart(digits, "0");
}

/** Returns the step whose code was typed, if it is within the accepted drift. */
export function matchingStep(secret: Buffer, typed: string, now: Date): number | undefined {
  const given = Buffer.from(typed);
  if (given.length !== digits) return undefined;
  // Stryker disable next-line ArithmeticOperator: as many steps are accepted before as after.
  const steps = acceptedDrift.map((drift) => stepAt(now) + drift);
  return steps.find((step) => timingSafeEqual(Buffer.from(codeOfStep(secret, step)), given));
}
