import type { FilmFile } from "./film-file.ts";

/** Elements of EBML (RFC 8794) as Matroska (RFC 9559) names them. */
const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  codec: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  contentEncodings: 0x6d80,
  cluster: 0x1f43b675,
} as const;

/** Bytes at the beginning in which a film's header must be. */
const maxHeaderBytes = 4 * 1024 ** 2;

/** The most elements of one level that are looked at. */
const maxElements = 1000;

const nanosecondsPerSecond = 1e9;

/** What the header of a WebM or Matroska file says. */
export interface WebmHeader {
  /** Null where it is not stated, as in a recording that was streamed. */
  durationSeconds: number | null;
  width: number | null;
  height: number | null;
  videoCodecs: string[];
  audioCodecs: string[];
  isEncrypted: boolean;
  /** The file ends before the end that it states. A recording that was streamed states none. */
  isDamaged: boolean;
}

/** Reads the header of a WebM or Matroska file; undefined when there is none. */
export async function readWebm(file: FilmFile): Promise<WebmHeader | undefined> {
  const bytes = await file.read(0, maxHeaderBytes);
  const segment = elementsIn(bytes, 0, bytes.length).find(({ id }) => id === ids.segment);
  if (segment === undefined) return undefined;
  const children = elementsIn(bytes, segment.start, segment.end);
  const tracks = children.find(({ id }) => id === ids.tracks);
  if (tracks === undefined) return undefined;
  const info = children.find(({ id }) => id === ids.info);
  const header: WebmHeader = {
    durationSeconds: info === undefined ? null : durationOf(bytes, info),
    width: null,
    height: null,
    videoCodecs: [],
    audioCodecs: [],
    isEncrypted: false,
    isDamaged: Number.isFinite(segment.statedEnd) && segment.statedEnd > file.size,
  };
  for (const entry of elementsIn(bytes, tracks.start, tracks.end)) {
    if (entry.id === ids.trackEntry) addTrack(bytes, entry, header);
  }
  return header;
}

interface Element {
  id: number;
  start: number;
  end: number;
  /** Infinite where it is unknown. */
  statedEnd: number;
}

/** Returns the elements of a range that begin inside it, up to the first cluster; one that goes beyond the range is cut to it. */
function elementsIn(bytes: Buffer, from: number, to: number): Element[] {
  const elements: Element[] = [];
  for (let at = from; at < to && elements.length < maxElements;) {
    const id = variableInteger(bytes, at, to, false);
    const size = id && variableInteger(bytes, id.next, to, true);
    if (id === undefined || size === undefined || id.value === ids.cluster) break;
    const statedEnd = size.next + size.value;
    const end = Math.min(statedEnd, to);
    elements.push({ id: id.value, start: size.next, end, statedEnd });
    at = end;
  }
  return elements;
}

/** A number whose first byte states its length (RFC 8794, section 4). A size of all ones is unknown: up to the end. */
function variableInteger(bytes: Buffer, at: number, to: number, isSize: boolean): { value: number; next: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (length > (isSize ? 8 : 4) || at + length > to) return undefined;
  let value = isSize ? first & (0xff >> length) : first;
  let isUnknown = isSize && value === 0xff >> length;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index] ?? 0;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? Infinity : value, next: at + length };
}

function durationOf(bytes: Buffer, info: Element): number | null {
  const elements = elementsIn(bytes, info.start, info.end);
  const stated = elements.find(({ id }) => id === ids.duration);
  const scale = elements.find(({ id }) => id === ids.timestampScale);
  if (stated === undefined) return null;
  const length = stated.end - stated.start;
  const ticks = length === 8 ? bytes.readDoubleBE(stated.start) : length === 4 ? bytes.readFloatBE(stated.start) : 0;
  const seconds = (ticks * (scale === undefined ? 1_000_000 : unsigned(bytes, scale))) / nanosecondsPerSecond;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

function addTrack(bytes: Buffer, entry: Element, header: WebmHeader): void {
  const elements = elementsIn(bytes, entry.start, entry.end);
  const named = elements.find(({ id }) => id === ids.codec);
  const codec = named === undefined ? "?" : bytes.toString("latin1", named.start, Math.min(named.end, named.start + 64));
  const encodings = elements.find(({ id }) => id === ids.contentEncodings);
  // The element of an encryption stands two levels below.
  if (encodings && bytes.subarray(encodings.start, encodings.end).includes(Buffer.from([0x50, 0x35])))
    header.isEncrypted = true;
  if (codec.startsWith("A_")) header.audioCodecs.push(codec.replace(/[^\x20-\x7e]/g, ""));
  if (!codec.startsWith("V_")) return;
  header.videoCodecs.push(codec.replace(/[^\x20-\x7e]/g, ""));
  const video = elements.find(({ id }) => id === ids.video);
  if (video === undefined || header.width !== null) return;
  const picture = elementsIn(bytes, video.start, video.end);
  const pixels = (wanted: number): number | null => {
    const found = picture.find(({ id }) => id === wanted);
    return found === undefined ? null : unsigned(bytes, found);
  };
  header.width = pixels(ids.pixelWidth);
  header.height = pixels(ids.pixelHeight);
}

function unsigned(bytes: Buffer, { start, end }: Element): number {
  return bytes.subarray(start, Math.min(end, start + 8)).reduce((value, byte) => value * 256 + byte, 0);
}
