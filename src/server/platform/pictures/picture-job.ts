import type { Picture } from "#domain/picture-likeness";

/** An image file on disk and the type that its first bytes state. */
export interface PictureJob {
  path: string;
  contentType: string;
}

/** What is compared to find a picture that was saved again. */
export interface PictureFingerprint {
  picture: Picture;
  edges: string;
  bands: number[];
}

/**
 * What decoding an image found. `decoded`: its fingerprint, or null when it has too little in it to be told from others. `broken`: not
 * an image of its type. `shape`: larger or longer than we decode. `no_decoder`: the library does not load on this machine.
 */
export type PictureReply =
  | { kind: "decoded"; fingerprint: PictureFingerprint | null }
  | { kind: "broken" }
  | { kind: "shape" }
  | { kind: "no_decoder"; message: string };
