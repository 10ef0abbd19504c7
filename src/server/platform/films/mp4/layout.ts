import type { FilmFile } from "../film-file.ts";
import { boxAt, headerLength, type Box } from "./boxes.ts";
import { readMovie, type Movie } from "./movie.ts";

/** Bytes of the largest index that is read: ten hours at 60 frames a second take about 40 MB. */
const maxIndexBytes = 64 * 1024 ** 2;

/** The most boxes of a file that are looked at: a fragmented film of a day, a fragment every four seconds. */
const maxBoxes = 50_000;

/** What a film cannot do without. Anything else that is longer than the file may be what a camera or an editor has appended. */
const ofFilm = new Set(["mdat", "moov", "moof"]);

/** The boxes of a file and its index. */
export interface Layout {
  boxes: Box[];
  /** The file ends within a box of the film or its index. */
  isTruncated: boolean;
  /** Bytes that are no box of a film stand behind the last one, or there are too many boxes. */
  isOdd: boolean;
  /** There are too many boxes: what stands behind them is not read. */
  isCut: boolean;
  /** The index, when there is exactly one and it can be read: where it is in the file, its bytes, and where it is in these. */
  index: { box: Box; bytes: Buffer; moov: Box; movie: Movie } | undefined;
}

/** Reads the headers of a file's boxes, and its index as a whole (ISO/IEC 14496-12, section 4). */
export async function readLayout(file: FilmFile): Promise<Layout> {
  const layout: Layout = {
    boxes: [],
    // Stryker disable next-line BooleanLiteral: every box sets it.
    isTruncated: false,
    isOdd: false,
    isCut: false,
    index: undefined,
  };
  for (let position = 0; position < file.size;) {
    const box = boxAt(await file.read(position, headerLength), position, file.size);
    layout.isCut = layout.boxes.length >= maxBoxes;
    if (box === undefined || layout.isCut) {
      layout.isOdd = true;
      break;
    }
    if (box.end > file.size && !ofFilm.has(box.type)) {
      layout.isOdd = true;
      break;
    }
    layout.boxes.push(box);
    layout.isTruncated = box.end > file.size;
    position = box.end;
  }
  const indexes = layout.boxes.filter(({ type }) => type === "moov");
  const [box] = indexes;
  if (box === undefined || indexes.length > 1) return layout;
  // Stryker disable next-line Boundary: a byte more is no harm.
  if (box.end > file.size || box.end - box.start > maxIndexBytes) return layout;
  const bytes = await file.read(box.start, box.end - box.start);
  const moov = { ...box, start: 0, contentStart: box.contentStart - box.start, end: bytes.length };
  const movie = readMovie(bytes, moov);
  return { ...layout, index: movie && { box, bytes, moov, movie } };
}

/** Returns whether the index stands behind the film's bytes; fragments have an index of their own each. */
export function hasLateIndex({ boxes, index }: Layout): boolean {
  const film = boxes.find(({ type }) => type === "mdat");
  // Stryker disable next-line Boundary: two boxes never begin at one place.
  return index !== undefined && !index.movie.isFragmented && film !== undefined && film.start < index.box.start;
}
