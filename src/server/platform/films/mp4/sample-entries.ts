import { boxAt, headerLength, type Box } from "./boxes.ts";

/** The first sample descriptions of a track; real ones have one or two. */
const maxEntries = 16;

export interface SampleEntry {
  /** As RFC 6381 names it, where its configuration can be read; else the four characters of its type. */
  codec: string;
  isEncrypted: boolean;
  /** Pixels of a visual entry. */
  width: number;
  height: number;
}

/** Returns the sample descriptions of an `stsd` box (ISO/IEC 14496-12, section 8.5.2); those that cannot be read are left out. */
export function sampleEntriesIn(buffer: Buffer, stsd: Box): SampleEntry[] {
  const entries: SampleEntry[] = [];
  let position = stsd.contentStart + 8;
  while (position < stsd.end && entries.length < maxEntries) {
    const entry = boxAt(buffer.subarray(position, Math.min(position + headerLength, stsd.end)), position, stsd.end);
    if (entry === undefined || entry.end > stsd.end) break;
    entries.push(entryOf(buffer.subarray(entry.start, entry.end), entry.type));
    position = entry.end;
  }
  return entries;
}

function entryOf(bytes: Buffer, type: string): SampleEntry {
  const isVisual = bytes.length >= 86;
  return {
    codec: codecOf(bytes, type),
    isEncrypted: type === "encv" || type === "enca",
    width: isVisual ? bytes.readUInt16BE(32) : 0,
    height: isVisual ? bytes.readUInt16BE(34) : 0,
  };
}

function codecOf(bytes: Buffer, type: string): string {
  if (type === "avc1" || type === "avc3") {
    // ISO/IEC 14496-15, section 5.3.3: version, profile, compatibility, level.
    const at = contentOf(bytes, "avcC");
    if (at !== undefined && at + 4 <= bytes.length) return `${type}.${bytes.toString("hex", at + 1, at + 4)}`;
  }
  if (type === "mp4a") {
    const objectType = objectTypeOf(bytes);
    if (objectType !== undefined) return `mp4a.${objectType.toString(16)}`;
  }
  return type.replace(/[^\x20-\x7e]/g, "?");
}

/** Where the content of a box inside a sample description begins. Searched for, since what stands before it differs by version. */
function contentOf(bytes: Buffer, type: string): number | undefined {
  const found = bytes.indexOf(type, 16, "latin1");
  return found === -1 ? undefined : found + 4;
}

/** The object type of an `esds` box (ISO/IEC 14496-1, section 7.2.6): the first byte of the decoder's description. */
function objectTypeOf(bytes: Buffer): number | undefined {
  const esds = contentOf(bytes, "esds");
  if (esds === undefined) return undefined;
  const stream = descriptorAt(bytes, esds + 4, 0x03);
  if (stream === undefined || stream + 3 > bytes.length) return undefined;
  const flags = bytes[stream + 2] ?? 0;
  const urlLength = flags & 0x40 ? 1 + (bytes[stream + 3 + (flags & 0x80 ? 2 : 0)] ?? 0) : 0;
  const decoder = descriptorAt(bytes, stream + 3 + (flags & 0x80 ? 2 : 0) + urlLength + (flags & 0x20 ? 2 : 0), 0x04);
  return decoder === undefined ? undefined : bytes[decoder];
}

/** Returns where the content of a descriptor begins: behind its tag and a length of one to four bytes. */
function descriptorAt(bytes: Buffer, at: number, tag: number): number | undefined {
  if (bytes[at] !== tag) return undefined;
  for (let next = at + 1; next <= at + 4; next += 1) {
    const byte = bytes[next];
    if (byte === undefined) return undefined;
    if (byte < 0x80) return next + 1;
  }
  return undefined;
}
