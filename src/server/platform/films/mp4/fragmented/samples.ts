import { boxesIn, type Box } from "../boxes.ts";

/** One sample of a track; times in the track's units. */
export interface Sample {
  /** Where its bytes begin in the file, and how many there are. */
  offset: number;
  size: number;
  duration: number;
  /** By how much it is displayed later than it is decoded; may be negative. */
  shift: number;
  isSync: boolean;
}

/** The tables of a track that say where its samples are, and when (ISO/IEC 14496-12, sections 8.6 and 8.7). */
export interface SampleTables {
  count: number;
  sizes: Table;
  durations: Table;
  shifts: Table | undefined;
  syncs: Table | undefined;
  chunks: Table;
  runs: Table;
}

/** Entries of some numbers of 32 bits each, or of 64 bits. */
interface Table {
  count: number;
  /** Returns a number of an entry. */
  at(entry: number, field: number): number;
}

/** Fields of an entry, of 32 bits each, and bytes in front of the number of entries. */
const shapes = {
  stsz: { fields: 1, skipped: 8 },
  stts: { fields: 2, skipped: 4 },
  ctts: { fields: 2, skipped: 4 },
  stss: { fields: 1, skipped: 4 },
  stco: { fields: 1, skipped: 4 },
  co64: { fields: 2, skipped: 4 },
  stsc: { fields: 3, skipped: 4 },
} as const;

/** Returns the tables inside an `stbl` box; undefined where one is missing or too short. */
export function readSampleTables(bytes: Buffer, stbl: Box): SampleTables | undefined {
  const boxes = boxesIn(bytes, stbl.contentStart, stbl.end) ?? [];
  const table = (type: keyof typeof shapes): Table | undefined => {
    const found = boxes.find((box) => box.type === type);
    return found && tableOf(bytes, found, shapes[type]);
  };
  const [sizes, durations, runs, chunks] = [table("stsz"), table("stts"), table("stsc"), table("co64") ?? table("stco")];
  const [shifts, syncs] = [table("ctts"), table("stss")];
  const isStated = (type: string): boolean => boxes.some((box) => box.type === type);
  if (sizes === undefined || durations === undefined || runs === undefined || chunks === undefined) return undefined;
  if ((isStated("ctts") && shifts === undefined) || (isStated("stss") && syncs === undefined)) return undefined;
  return { count: sizes.count, sizes, durations, shifts, syncs, chunks, runs };
}

function tableOf(bytes: Buffer, box: Box, { fields, skipped }: { fields: number; skipped: number }): Table | undefined {
  const from = box.contentStart + skipped + 4;
  if (from > box.end) return undefined;
  const count = bytes.readUInt32BE(from - 4);
  // A common size of all samples stands in front of their number, in place of a table.
  const commonSize = box.type === "stsz" ? bytes.readUInt32BE(box.contentStart + 4) : 0;
  if (commonSize > 0) return { count, at: () => commonSize };
  if (from + 4 * fields * count > box.end) return undefined;
  if (box.type === "co64") return { count, at: (entry) => Number(bytes.readBigUInt64BE(from + 8 * entry)) };
  return { count, at: (entry, field) => bytes.readUInt32BE(from + 4 * (fields * entry + field)) };
}

/** Iterates over the samples of a track in the order of their decoding. Ends early where a table does, or with a second description. */
export function* samplesOf({
  count,
  sizes,
  durations,
  shifts,
  syncs,
  chunks,
  runs,
}: SampleTables): Generator<Sample, undefined> {
  const duration = runLengths(durations);
  const shift = shifts && runLengths(shifts);
  let [sample, sync, run] = [0, 0, 0];
  for (let chunk = 0; chunk < chunks.count && sample < count; chunk += 1) {
    // Chunks and samples count from 1 in the tables.
    while (run + 1 < runs.count && runs.at(run + 1, 0) <= chunk + 1) run += 1;
    if (run >= runs.count || runs.at(run, 2) !== 1) return undefined;
    let offset = chunks.at(chunk, 0);
    for (let left = runs.at(run, 1); left > 0 && sample < count; left -= 1, sample += 1) {
      const lasts = duration.next().value;
      const shifted = shift ? shift.next().value : 0;
      if (lasts === undefined || shifted === undefined) return undefined;
      const isSync = syncs === undefined || (sync < syncs.count && syncs.at(sync, 0) === sample + 1);
      if (isSync) sync += 1;
      const size = sizes.at(sample, 0);
      yield { offset, size, duration: lasts, shift: shifted | 0, isSync };
      offset += size;
    }
  }
  return undefined;
}

/** Iterates over the values of a table whose entries are a number of repetitions and a value. */
function* runLengths(table: Table): Generator<number, undefined> {
  for (let entry = 0; entry < table.count; entry += 1) {
    for (let left = table.at(entry, 0); left > 0; left -= 1) yield table.at(entry, 1);
  }
  return undefined;
}
