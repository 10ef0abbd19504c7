import { boxesIn, childOf, type Box } from "./boxes.ts";
import { sampleEntriesIn, type SampleEntry } from "./sample-entries.ts";

/** The most tracks that are read; the rest of the file's are ignored, and it is not rewritten. */
const maxTracks = 64;

/** A table of chunk offsets (`stco` or `co64`) and the boxes around it, the outermost first. */
export interface OffsetTable {
  box: Box;
  count: number;
  around: Box[];
}

export interface Track {
  id: number;
  /** Its units of time, and the duration of a sample of a fragment that states none, in these units. */
  perSecond: number;
  fragmentSampleDuration: number;
  kind: "video" | "audio" | "other";
  entries: SampleEntry[];
  /** Pixels, as displayed; 0 where it is not stated. */
  width: number;
  height: number;
}

/** What the index of an MP4 (`moov`, ISO/IEC 14496-12, section 8.2) says. */
export interface Movie {
  /** Null where it is not stated. */
  durationSeconds: number | null;
  isFragmented: boolean;
  tracks: Track[];
  tables: OffsetTable[];
  /** Every offset into the file that it holds is in `tables`. */
  isMovable: boolean;
}

/** Boxes with offsets into the file besides `tables`, other places for samples, or a compressed index. */
const otherOffsets = new Set(["saio", "iloc", "cmov", "rmra", "gps "]);

/** Reads an index that is whole in `buffer`; undefined when it is malformed where it matters. */
export function readMovie(buffer: Buffer, moov: Box): Movie | undefined {
  const children = boxesIn(buffer, moov.contentStart, moov.end);
  if (children === undefined) return undefined;
  const header = children.find(({ type }) => type === "mvhd");
  const extension = children.find(({ type }) => type === "mvex");
  const traks = children.filter(({ type }) => type === "trak");
  const movie: Movie = {
    durationSeconds: header === undefined ? null : durationOf(buffer, header, extension),
    isFragmented: extension !== undefined,
    tracks: [],
    tables: [],
    isMovable: traks.length > 0 && traks.length <= maxTracks && !children.some((box) => hasOtherOffsets(buffer, box)),
  };
  for (const trak of traks.slice(0, maxTracks)) {
    if (!readTrack(buffer, [moov, trak], extension, movie)) return undefined;
  }
  return movie;
}

function hasOtherOffsets(buffer: Buffer, { type, contentStart, end }: Box): boolean {
  if (type === "meta") return buffer.subarray(contentStart, end).includes("iloc", 0, "latin1");
  return otherOffsets.has(type);
}

/** Adds a track to the movie; false when it is malformed. */
function readTrack(buffer: Buffer, around: Box[], extension: Box | undefined, movie: Movie): boolean {
  const trak = around.at(-1) as Box;
  const media = childOf(buffer, trak, "mdia");
  const information = media && childOf(buffer, media, "minf");
  const table = information && childOf(buffer, information, "stbl");
  const handler = media && childOf(buffer, media, "hdlr");
  // Stryker disable next-line LeftOperand,RightOperand,LogicalOperator: a table stands inside of both.
  if (media === undefined || information === undefined || table === undefined) return false;
  // Stryker disable next-line ArrayDeclaration: a track with media could be read.
  const beside = boxesIn(buffer, trak.contentStart, trak.end) ?? [];
  // Stryker disable next-line ArrayDeclaration: no text is a description.
  const boxes = boxesIn(buffer, table.contentStart, table.end) ?? [];
  const description = boxes.find(({ type }) => type === "stsd");
  if (description === undefined || handler === undefined) return false;
  if (!addTables(buffer, boxes, [...around, media, information, table], movie)) return false;
  const hasOthers = [...beside, ...boxes].some((box) => hasOtherOffsets(buffer, box));
  if (hasOthers || !isSelfContained(buffer, information)) movie.isMovable = false;
  const kind = kindOf(buffer.toString("latin1", handler.contentStart + 8, handler.contentStart + 12));
  const entries = sampleEntriesIn(buffer, description);
  const header = childOf(buffer, trak, "tkhd");
  const id = numberBehindTimes(buffer, header);
  movie.tracks.push({
    id,
    perSecond: numberBehindTimes(buffer, childOf(buffer, media, "mdhd")),
    fragmentSampleDuration: fragmentDefault(buffer, extension, id),
    kind,
    entries,
    ...displaySize(buffer, header, entries),
  });
  return true;
}

function kindOf(handler: string): Track["kind"] {
  // Stryker disable next-line StringLiteral: only two of the three kinds are asked for.
  return handler === "vide" ? "video" : handler === "soun" ? "audio" : "other";
}

/** Adds the tables of a track; false when one is shorter than it says. */
function addTables(buffer: Buffer, boxes: Box[], around: Box[], movie: Movie): boolean {
  const tables = boxes.filter(({ type }) => type === "stco" || type === "co64");
  if (tables.length !== 1) movie.isMovable = false;
  for (const box of tables) {
    if (box.end - box.contentStart < 8) return false;
    const count = buffer.readUInt32BE(box.contentStart + 4);
    if (box.contentStart + 8 + count * (box.type === "stco" ? 4 : 8) > box.end) return false;
    movie.tables.push({ box, count, around });
  }
  return true;
}

/** Whether all samples are in this file: every entry of `dref` has the flag that says so (section 8.7.2). */
function isSelfContained(buffer: Buffer, information: Box): boolean {
  const data = childOf(buffer, information, "dinf");
  const references = data && childOf(buffer, data, "dref");
  if (references === undefined) return true;
  const entries = boxesIn(buffer, references.contentStart + 8, references.end);
  return (
    // Stryker disable next-line Boundary: behind a shorter entry comes the first byte of a size, which is not 1.
    entries !== undefined && entries.every(({ contentStart, end }) => end > contentStart + 3 && buffer[contentStart + 3] === 1)
  );
}

/** Seconds of a film; a fragmented one states them in `mehd` (section 8.8.2), if at all. */
function durationOf(buffer: Buffer, header: Box, extension: Box | undefined): number | null {
  const fragments = extension && childOf(buffer, extension, "mehd");
  const isLong = buffer[header.contentStart] === 1;
  const scaleAt = header.contentStart + (isLong ? 20 : 12);
  if (scaleAt + (isLong ? 12 : 8) > header.end) return null;
  const perSecond = buffer.readUInt32BE(scaleAt);
  const ticks =
    numberAt(buffer, header, scaleAt + 4) || (fragments ? numberAt(buffer, fragments, fragments.contentStart + 4) : 0);
  // Stryker disable next-line LeftOperand: a length without end is not plausible either.
  return perSecond === 0 || ticks === 0 ? null : ticks / perSecond;
}

/** The number behind the two times with which `tkhd` and `mdhd` begin: the track's id, and its units a second. 0 without one. */
function numberBehindTimes(buffer: Buffer, box: Box | undefined): number {
  if (box === undefined) return 0;
  const at = box.contentStart + (buffer[box.contentStart] === 1 ? 20 : 12);
  return at + 4 <= box.end ? buffer.readUInt32BE(at) : 0;
}

/** The duration that `trex` states for the samples of a track's fragments (section 8.8.3). */
function fragmentDefault(buffer: Buffer, extension: Box | undefined, id: number): number {
  const defaults = extension && boxesIn(buffer, extension.contentStart, extension.end);
  const own = defaults?.find(
    ({ type, contentStart, end }) =>
      type === "trex" && end - contentStart >= 16 && buffer.readUInt32BE(contentStart + 4) === id,
  );
  return own === undefined ? 0 : buffer.readUInt32BE(own.contentStart + 12);
}

/** A number of 64 bits where the box has version 1, else of 32; 0 where it is unknown, which is all ones. */
function numberAt(buffer: Buffer, box: Box, at: number): number {
  const isLong = buffer[box.contentStart] === 1;
  if (at + (isLong ? 8 : 4) > box.end) return 0;
  const stated = isLong ? buffer.readBigUInt64BE(at) : BigInt(buffer.readUInt32BE(at));
  return stated === (isLong ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn) ? 0 : Number(stated);
}

/** The size of `tkhd` (section 8.3.2), turned where its matrix turns the picture on its side; else that of the sample description. */
function displaySize(buffer: Buffer, header: Box | undefined, [entry]: SampleEntry[]): { width: number; height: number } {
  const coded = { width: entry?.width ?? 0, height: entry?.height ?? 0 };
  if (header === undefined) return coded;
  const at = header.contentStart + (buffer[header.contentStart] === 1 ? 52 : 40);
  if (at + 44 > header.end) return coded;
  const stated = { width: buffer.readUInt32BE(at + 36) >>> 16, height: buffer.readUInt32BE(at + 40) >>> 16 };
  const size = stated.width > 0 && stated.height > 0 ? stated : coded;
  const isTurned = buffer.readInt32BE(at) === 0 && buffer.readInt32BE(at + 16) === 0;
  return isTurned ? { width: size.height, height: size.width } : size;
}
