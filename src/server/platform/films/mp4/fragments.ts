import type { FilmFile } from "../film-file.ts";
import { boxesIn, childOf, type Box } from "./boxes.ts";
import type { Layout } from "./layout.ts";
import type { Movie, Track } from "./movie.ts";

/** The last fragments that are read: each may hold another track. */
const lastFragments = 8;

/** Bytes of the largest fragment header that is read; a minute of film has some 30 kB. */
const maxHeaderBytes = 1024 ** 2;

/**
 * Returns where the last fragments of a film end, in seconds: the start that each states and the durations of its samples
 * (ISO/IEC 14496-12, sections 8.8.7, 8.8.8 and 8.8.12). Null where they do not say.
 */
export async function endOfFragments(file: FilmFile, { boxes }: Layout, movie: Movie): Promise<number | null> {
  const fragments = boxes.filter(
    ({ type, start, end }) => type === "moof" && end <= file.size && end - start <= maxHeaderBytes,
  );
  let end = 0;
  for (const { contentStart, end: moofEnd } of fragments.slice(-lastFragments)) {
    const bytes = await file.read(contentStart, moofEnd - contentStart);
    const runs = (boxesIn(bytes, 0, bytes.length) ?? []).filter(({ type }) => type === "traf");
    for (const run of runs) end = Math.max(end, endOfTrack(bytes, run, movie.tracks) ?? 0);
  }
  return end > 0 ? end : null;
}

function endOfTrack(bytes: Buffer, traf: Box, tracks: Track[]): number | undefined {
  const header = childOf(bytes, traf, "tfhd");
  const time = childOf(bytes, traf, "tfdt");
  if (header === undefined || time === undefined || header.end - header.contentStart < 8) return undefined;
  const id = bytes.readUInt32BE(header.contentStart + 4);
  const track = tracks.find((one) => one.id === id);
  const isLong = bytes[time.contentStart] === 1;
  if (track === undefined || track.perSecond === 0 || time.end - time.contentStart < (isLong ? 12 : 8)) return undefined;
  const at = time.contentStart + 4;
  const start = isLong ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
  const fallback = defaultDuration(bytes, header) ?? track.fragmentSampleDuration;
  const runs = (boxesIn(bytes, traf.contentStart, traf.end) ?? []).filter(({ type }) => type === "trun");
  return (start + runs.reduce((sum, run) => sum + durationOfRun(bytes, run, fallback), 0)) / track.perSecond;
}

const flagsOf = (bytes: Buffer, box: Box): number => bytes.readUInt32BE(box.contentStart) & 0xff_ffff;

/** The duration of a sample that `tfhd` states for its fragment, behind two fields that may be left out. */
function defaultDuration(bytes: Buffer, header: Box): number | undefined {
  const flags = flagsOf(bytes, header);
  const at = header.contentStart + 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
  return flags & 0x8 && at + 4 <= header.end ? bytes.readUInt32BE(at) : undefined;
}

function durationOfRun(bytes: Buffer, run: Box, fallback: number): number {
  if (run.end - run.contentStart < 8) return 0;
  const flags = flagsOf(bytes, run);
  const count = bytes.readUInt32BE(run.contentStart + 4);
  if (!(flags & 0x100)) return count * fallback;
  const from = run.contentStart + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const sampleBytes = 4 + (flags & 0x200 ? 4 : 0) + (flags & 0x400 ? 4 : 0) + (flags & 0x800 ? 4 : 0);
  let sum = 0;
  for (let sample = 0; sample < count && from + (sample + 1) * sampleBytes <= run.end; sample += 1) {
    sum += bytes.readUInt32BE(from + sample * sampleBytes);
  }
  return sum;
}
