import type { FilmFile } from "#server/platform/films/film-file";
import type { FastStart } from "#server/platform/films/mp4/fast-start";
import type { RewritePlan } from "#server/platform/films/mp4/rewrite-plan";

/** Writes boxes of ISO/IEC 14496-12, and reads their samples back by its own way. */
export const u32 = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => bytes.writeUInt32BE(number, 4 * index));
  return bytes;
};
export const u64 = (number: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
};

/** A box with a size of 32 bits. */
export const box = (type: string, ...content: Buffer[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([u32(8 + bytes.length), Buffer.from(type, "latin1"), bytes]);
};
/** A box with a size of 64 bits. */
export const longBox = (type: string, ...content: Buffer[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([u32(1), Buffer.from(type, "latin1"), u64(16 + bytes.length), bytes]);
};
/** A box that runs to the end of the file. */
export const openBox = (type: string, ...content: Buffer[]): Buffer =>
  Buffer.concat([u32(0), Buffer.from(type, "latin1"), ...content]);

export const ftyp = box("ftyp", Buffer.from("isom"), u32(512), Buffer.from("isomavc1"));

export interface TrackShape {
  offsets: number[];
  /** Bytes of each chunk: one sample a chunk. */
  sizes: number[];
  isWide?: boolean;
  handler?: string;
  entry?: Buffer;
  /** Boxes beside the table of offsets. */
  extra?: Buffer[];
  /** Boxes beside the media. */
  beside?: Buffer[];
  id?: number;
  /** Contents of tables other than the usual ones: samples of 100 units, one a chunk. */
  durations?: Buffer;
  runs?: Buffer;
  stsz?: Buffer;
  dref?: Buffer;
}

const avcC = box("avcC", Buffer.from([1, 0x64, 0, 0x1f, 0xff, 0xe0, 0]));
export const avc1 = box("avc1", Buffer.alloc(24), Buffer.from([0, 96, 0, 64]), Buffer.alloc(50), avcC);
const selfContained = box("dref", u32(0, 1), box("url ", u32(1)));

export function trak(shape: TrackShape): Buffer {
  const { offsets, sizes, isWide = false, handler = "vide", entry = avc1, extra = [], dref = selfContained } = shape;
  const { beside = [], id = 1 } = shape;
  const table = isWide
    ? box("co64", u32(0, offsets.length), ...offsets.map(u64))
    : box("stco", u32(0, offsets.length), u32(...offsets));
  const stbl = box(
    "stbl",
    box("stsd", u32(0, 1), entry),
    box("stts", shape.durations ?? u32(0, 1, offsets.length, 100)),
    box("stsc", shape.runs ?? u32(0, 1, 1, 1, 1)),
    box("stsz", shape.stsz ?? Buffer.concat([u32(0, 0, sizes.length), u32(...sizes)])),
    table,
    ...extra,
  );
  const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  return box(
    "trak",
    box("tkhd", u32(7, 0, 0, id, 0, 2000), Buffer.alloc(16), matrix, u32(96 << 16, 64 << 16)),
    ...beside,
    box(
      "mdia",
      box("mdhd", u32(0, 0, 0, 1000, 2000, 0)),
      box("hdlr", u32(0, 0), Buffer.from(handler), Buffer.alloc(13)),
      box("minf", box("dinf", dref), stbl),
    ),
  );
}

/** An index of two seconds. */
export const moov = (traks: Buffer[], ...extra: Buffer[]): Buffer =>
  box("moov", box("mvhd", u32(0, 0, 0, 1000, 2000), Buffer.alloc(80)), ...traks, ...extra);

/** A film whose bytes are at hand. */
export const filmFileOf = (bytes: Buffer): FilmFile => ({
  size: bytes.length,
  read: (position, length) => Promise.resolve(bytes.subarray(position, Math.max(position, position + length))),
});

/** What a plan makes of a film, without a fragmented layout. */
export function rewrite(
  bytes: Buffer,
  { before, index, fragments = [], after }: FastStart & Partial<Pick<RewritePlan, "fragments">>,
): Buffer {
  const samples = fragments.flatMap((ranges) =>
    Array.from({ length: ranges.length / 2 }, (_none, at) => bytes.subarray(ranges[2 * at], ranges[2 * at + 1])),
  );
  const rest = after.map(({ start, end }) => bytes.subarray(start, end));
  return Buffer.concat([bytes.subarray(before.start, before.end), index, ...samples, ...rest]);
}

interface Found {
  type: string;
  content: Buffer;
}

/** The boxes of a buffer, which must be well-formed. */
export function parse(bytes: Buffer): Found[] {
  const found: Found[] = [];
  for (let at = 0; at < bytes.length;) {
    const stated = bytes.readUInt32BE(at);
    const header = stated === 1 ? 16 : 8;
    const size = stated === 0 ? bytes.length - at : stated === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : stated;
    found.push({ type: bytes.toString("latin1", at + 4, at + 8), content: bytes.subarray(at + header, at + size) });
    if (size < header || at + size > bytes.length) throw new Error(`Malformed box at ${at}.`);
    at += size;
  }
  return found;
}

export const childrenOf = (bytes: Buffer, path: string): Buffer[] =>
  path.split("/").reduce(
    (contents, type) =>
      contents.flatMap((content) =>
        parse(content)
          .filter((one) => one.type === type)
          .map((one) => one.content),
      ),
    [bytes],
  );

/** The bytes of every chunk of every track, by stsc, stsz and stco or co64, as a player finds them. */
export function chunksOf(file: Buffer): string[][] {
  return childrenOf(file, "moov/trak/mdia/minf/stbl").map((stbl) => {
    const table = (type: string): Buffer | undefined => childrenOf(stbl, type)[0];
    const [stco, co64, stsc, stsz] = [table("stco"), table("co64"), table("stsc")!, table("stsz")!];
    const count = (stco ?? co64)!.readUInt32BE(4);
    const offsetOf = (chunk: number): number =>
      stco ? stco.readUInt32BE(8 + 4 * chunk) : Number(co64!.readBigUInt64BE(8 + 8 * chunk));
    const runs = Array.from({ length: stsc.readUInt32BE(4) }, (_none, at) => ({
      first: stsc.readUInt32BE(8 + 12 * at) - 1,
      samples: stsc.readUInt32BE(12 + 12 * at),
    }));
    const fixed = stsz.readUInt32BE(4);
    let sample = 0;
    return Array.from({ length: count }, (_none, chunk) => {
      const { samples } = runs.findLast(({ first }) => first <= chunk)!;
      let size = 0;
      for (let one = 0; one < samples; one += 1, sample += 1) size += fixed || stsz.readUInt32BE(12 + 4 * sample);
      return file.subarray(offsetOf(chunk), offsetOf(chunk) + size).toString("hex");
    });
  });
}

/** The types of a file's boxes, in their order. */
export const typesOf = (file: Buffer): string[] => parse(file).map(({ type }) => type);
