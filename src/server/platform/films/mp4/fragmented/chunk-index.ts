import { boxesIn, type Box } from "../boxes.ts";
import { box, u32, u64 } from "./write-box.ts";

/** Samples of a track that follow each other. */
export interface Chunk {
  offset: number;
  samples: number;
}

const opened = new Set(["trak", "mdia", "minf", "stbl"]);

/**
 * Returns an index (`moov`) with other chunks, which are given by where each track's box starts, and all else as it was. Offsets are written
 * as 64 bits where `isWide` says so (ISO/IEC 14496-12, sections 8.7.4 and 8.7.5).
 */
export function indexWithChunks(
  bytes: Buffer,
  moov: Box,
  chunksOf: ReadonlyMap<number, Chunk[]>,
  { filmStart, isWide }: { filmStart: number; isWide: boolean },
): Buffer {
  const rewriteBox = (parent: Box, tables: Record<string, Buffer>): Buffer => {
    const inside = (boxesIn(bytes, parent.contentStart, parent.end) ?? []).map((child) => {
      const chunks = child.type === "trak" ? chunksOf.get(child.start) : undefined;
      if (opened.has(child.type)) return rewriteBox(child, chunks ? tablesOf(chunks, filmStart, isWide) : tables);
      return tables[child.type] ?? bytes.subarray(child.start, child.end);
    });
    return box(parent.type, ...inside);
  };
  return rewriteBox(moov, {});
}

function tablesOf(chunks: Chunk[], filmStart: number, isWide: boolean): Record<string, Buffer> {
  const write = isWide ? u64 : u32;
  const offsets = box(
    isWide ? "co64" : "stco",
    u32(0, chunks.length),
    ...chunks.map(({ offset }) => write(filmStart + offset)),
  );
  // An entry holds for all chunks up to the next one's.
  const runs = chunks.flatMap(({ samples }, at) => (samples === chunks[at - 1]?.samples ? [] : [u32(at + 1, samples, 1)]));
  return { stco: offsets, co64: offsets, stsc: box("stsc", u32(0, runs.length), ...runs) };
}
