import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { ProductError } from "#domain/errors/messages";
import type { BucketName } from "#domain/files/buckets";
import { secondsAfter, type Clock } from "../../clock.ts";

/** Short names, since all of it stands in an address. */
const Payload = z.strictObject({
  b: z.string(),
  n: z.string(),
  s: z.uuid(),
  exp: z.number(),
  a: z.uuid(),
  d: z.optional(z.string()),
});

/** The account of a link, and the session that asked for it. */
export interface LinkViewer {
  id: string;
  sessionId: string;
}

/** What a valid link says. */
export interface LinkClaims {
  viewer: LinkViewer;
  /** Returns whether a browser with this id in its device cookie may use the link (DEVICE-3). */
  admitsDevice(deviceId: string | undefined): boolean;
}

export interface SignedLink {
  /** Path and query, without an origin. */
  path: string;
  expires_at: Date;
}

/** Links in a list expire at multiples of this. */
const listPeriodMs = 12 * 3_600_000;

/** Links that open one object for the viewer of one session, signed with HMAC-SHA256. */
export class SignedLinks {
  readonly #key: Buffer;
  readonly #clock: Clock;

  constructor(key: Buffer, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
  }

  /**
   * Returns a link bound to a bucket, a name and a session, valid for `seconds` and while the session lives. `deviceId`, from a device
   * cookie, also binds it to that browser.
   */
  sign(bucket: BucketName, name: string, viewer: LinkViewer, seconds: number, deviceId?: string): SignedLink {
    return this.#signUntil(bucket, name, viewer, secondsAfter(this.#clock.now(), seconds), deviceId);
  }

  /** Returns the path of a link for a list: valid for 12 to 24 hours and the same for up to 12, so that browsers cache what it leads to. */
  signForList(bucket: BucketName, name: string, viewer: LinkViewer): string {
    const periods = Math.floor(this.#clock.now().getTime() / listPeriodMs) + 2;
    return this.#signUntil(bucket, name, viewer, new Date(periods * listPeriodMs)).path;
  }

  /** Returns a token that opens another address of this site, path and query, bound as a link is. */
  signAddress(address: string, viewer: LinkViewer, seconds: number): { token: string; expires_at: Date } {
    const expires_at = secondsAfter(this.#clock.now(), seconds);
    return { token: this.#token("address", address, viewer, expires_at), expires_at };
  }

  #signUntil(bucket: BucketName, name: string, viewer: LinkViewer, expires_at: Date, deviceId?: string): SignedLink {
    const token = this.#token(bucket, name, viewer, expires_at, deviceId);
    return { path: `/storage/v1/object/sign/${bucket}/${encodeURIComponent(name)}?token=${token}`, expires_at };
  }

  #token(kind: BucketName | "address", name: string, viewer: LinkViewer, expires_at: Date, deviceId?: string): string {
    const d = deviceId === undefined ? undefined : this.#deviceProof(deviceId);
    const payload = { b: kind, n: name, s: viewer.sessionId, exp: expires_at.getTime(), a: viewer.id, d };
    const claims = Buffer.from(JSON.stringify(payload)).toString("base64url");
    return `${claims}.${this.#signature(claims).toString("base64url")}`;
  }

  /** Returns what a token was made for; throws `link_invalid` unless it is ours, unexpired and of exactly this object. */
  read(token: string | undefined, bucket: BucketName, name: string): LinkClaims {
    return this.#read(token, bucket, name);
  }

  /** Returns what a token of `signAddress` was made for; throws `link_invalid` unless it is ours, unexpired and of exactly this address. */
  readAddress(token: string, address: string): LinkClaims {
    return this.#read(token, "address", address);
  }

  #read(token: string | undefined, kind: BucketName | "address", name: string): LinkClaims {
    // Stryker disable next-line StringLiteral: a text always has a first part, and any without two is refused.
    const [claims = "", proof, ...rest] = (token ?? "").split(".");
    if (proof === undefined || rest.length > 0) throw new ProductError("link_invalid");
    const expected = this.#signature(claims);
    const given = Buffer.from(proof, "base64url");
    // Decoding skips foreign characters, so the text is compared too: one link has one spelling.
    const isOurs =
      given.length === expected.length && timingSafeEqual(given, expected) && given.toString("base64url") === proof;
    if (!isOurs) throw new ProductError("link_invalid");
    const { data } = Payload.safeParse(JSON.parse(Buffer.from(claims, "base64url").toString()));
    // Links of former versions name no session or no account.
    if (data === undefined) throw new ProductError("link_invalid");
    const { b, n, s, exp, a, d } = data;
    if (b !== kind || n !== name || this.#clock.now().getTime() >= exp) throw new ProductError("link_invalid");
    return {
      viewer: { id: a, sessionId: s },
      admitsDevice: (deviceId) => d === undefined || d === this.#deviceProof(deviceId),
    };
  }

  /** Keyed, so that the link does not name the cookie. */
  #deviceProof(deviceId: string | undefined): string {
    // Stryker disable next-line StringLiteral: any first text sets a device apart from what else is signed.
    return this.#signature(JSON.stringify(["device", deviceId])).toString("base64url");
  }

  #signature(claims: string): Buffer {
    return createHmac("sha256", this.#key).update(claims).digest();
  }
}
