import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import type { PerceptualFingerprint } from "#domain/payments/perceptual-fingerprint";

/** An image file on disk and the type that its first bytes state. */
export interface PictureJob {
  path: string;
  contentType: string;
  /** What is made of the image. */
  makes: "fingerprint" | "poster" | "slip";
}

/**
 * The result of decoding an image. `decoded`: its fingerprint, or null when it has too few edges. `encoded`: a poster in WebP. `scanned`: the codes
 * of its transfer slips. `broken`: not an image of its type. `shape`: larger or longer than we decode. `no_decoder`: the library does not load on this machine.
 */
export type PictureReply =
  | { kind: "decoded"; fingerprint: PerceptualFingerprint | null }
  | { kind: "encoded"; bytes: Uint8Array }
  | { kind: "scanned"; codes: SlipCode[] }
  | { kind: "broken" }
  | { kind: "shape" }
  | { kind: "no_decoder"; message: string };
