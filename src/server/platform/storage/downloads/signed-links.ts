import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { ProductError } from "#domain/messages";
import type { BucketName } from "#domain/upload-rules";
import { secondsAfter } from "../../clock.ts";
import type { SignedLink } from "../object-store.ts";

/** Short names, since the whole stands in an address. */
const Payload = z.strictObject({ b: z.string(), n: z.string(), v: z.uuid(), exp: z.number() });

interface LinkTarget {
  bucket: BucketName;
  name: string;
  viewerId: string;
}

/** A path that opens one object for one viewer until `now` plus `seconds`, signed with HMAC-SHA256 (FILE-2, VIDEO-3). */
export function signLink(key: Buffer, target: LinkTarget, now: Date, seconds: number): SignedLink {
  const expires_at = secondsAfter(now, seconds);
  const payload = { b: target.bucket, n: target.name, v: target.viewerId, exp: expires_at.getTime() };
  const claims = Buffer.from(JSON.stringify(payload)).toString("base64url");
  const token = `${claims}.${signature(key, claims).toString("base64url")}`;
  return { path: `/storage/v1/object/sign/${target.bucket}/${encodeURIComponent(target.name)}?token=${token}`, expires_at };
}

/** The viewer a token was made for; throws `link_invalid` unless it is ours, unexpired and of exactly this object. */
export function viewerOfLink(key: Buffer, token: string, bucket: BucketName, name: string, now: Date): string {
  const [claims, proof, ...rest] = token.split(".");
  if (claims === undefined || proof === undefined || rest.length > 0) throw new ProductError("link_invalid");
  const expected = signature(key, claims);
  const given = Buffer.from(proof, "base64url");
  // Decoding skips foreign characters, so the text is compared too: one link has one spelling.
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected) && given.toString("base64url") === proof;
  if (!isOurs) throw new ProductError("link_invalid");
  const { b, n, v, exp } = Payload.parse(JSON.parse(Buffer.from(claims, "base64url").toString()));
  if (b !== bucket || n !== name || now.getTime() >= exp) throw new ProductError("link_invalid");
  return v;
}

function signature(key: Buffer, claims: string): Buffer {
  return createHmac("sha256", key).update(claims).digest();
}
