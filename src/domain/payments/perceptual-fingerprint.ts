/**
 * Perceptual fingerprints: whether two pictures are one picture saved again, and not two receipts of the same app. Receipts of one
 * template differ in a few digits, so no sum over the picture is compared, but each cell. Measured in docs/decisions/013.
 */

/** 96 by 192 cells of grey, 0 to 255, row by row. A picture wider than high is transposed. */
export type Picture = Uint8Array;

const columns = 96;
const rows = 192;

/** Largest difference between a cell of a copy and the original's, in steps of grey. */
export const maxDifference = 28;

/** A larger step of grey from a cell to its right neighbour is an edge; a smaller one is noise. */
const edgeStep = 12;

/** A picture with fewer edges has no fingerprint, since blank pictures would all be duplicates of each other. */
const minEdges = 120;

/** Pixels of grey, a byte each, row by row. */
export interface GreyPixels {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** What is stored of a picture to find it when it was saved again. */
export interface PerceptualFingerprint {
  picture: Picture;
  edges: string;
  bands: number[];
}

/** Returns the perceptual fingerprint of a picture; undefined when it has too few edges. */
export function perceptualFingerprint(grey: GreyPixels): PerceptualFingerprint | undefined {
  const picture = cellsOf(grey);
  const edges = edgesOf(picture);
  return edges.replaceAll("0", "").length < minEdges ? undefined : { picture, edges, bands: bandsOf(picture) };
}

/** Returns the cells of a picture, each the average of the pixels it covers, which saving and scaling hardly change. */
function cellsOf(grey: GreyPixels): Picture {
  return grey.width > grey.height ? transposed(averaged(grey, rows, columns), rows) : averaged(grey, columns, rows);
}

/** Returns whether one picture is the other saved again, in another format, size or quality. */
export function isSamePicture(one: Picture, other: Picture): boolean {
  // A plain loop takes a tenth of the time of `every`, and up to 200 pictures are compared on the event loop.
  // Stryker disable next-line Boundary: past its end there is nothing, which differs by nothing.
  for (let index = 0; index < one.length; index += 1) {
    if (Math.abs(one[index]! - other[index]!) > maxDifference) return false;
  }
  return true;
}

/** Where the rows of a picture's sample begin, in cells. */
export const sampleStarts = Array.from({ length: rows / 16 }, (_, index) => (16 * index + 8) * columns);

/** Cells of a row. */
export const rowLength = columns;

/** Returns twelve rows of a picture. Pictures whose samples `isSamePicture` tells apart are not the same. */
export function sampleOf(picture: Picture): Picture {
  return Uint8Array.from(sampleStarts.flatMap((start) => [...picture.subarray(start, start + rowLength)]));
}

/** Length of the string that `edgesOf` returns. */
export const edgeBits = 2 * rows * (columns - 1);

/**
 * Returns a `0` or `1` for each cell: first whether the next cell is clearly lighter, then whether it is clearly darker. An edge that
 * goes one way in one picture and the other way in another is a different digit, so a likely copy has few opposite edges.
 */
export function edgesOf(picture: Picture): string {
  let lighter = "";
  let darker = "";
  for (const step of stepsOf(picture, columns, 1)) {
    lighter += step > edgeStep ? "1" : "0";
    darker += step < -edgeStep ? "1" : "0";
  }
  return lighter + darker;
}

/** Returns the edges with lighter and darker exchanged; what another picture's edges share with them are opposite edges. */
export function oppositeEdges(edges: string): string {
  return edges.slice(edgeBits / 2) + edges.slice(0, edgeBits / 2);
}

/** Cells across and down that are averaged into one for the bands. */
const coarseness = 4;
const coarseStep = 8;
const bandCount = 16;
const hashesInBand = 5;

/**
 * Returns 16 signed 32-bit numbers. Similar pictures share at least one of them, others hardly ever do: MinHash in bands (Leskovec,
 * Rajaraman, Ullman, Mining of Massive Datasets, section 3.4). Receipts of one template share most of them.
 */
export function bandsOf(picture: Picture): number[] {
  const width = columns / coarseness;
  const coarse = averaged({ pixels: picture, width: columns, height: rows }, width, rows / coarseness);
  const marks = [...marksOf(stepsOf(coarse, width, 1), 0), ...marksOf(stepsOf(coarse, width, width), 1)];
  return Array.from({ length: bandCount }, (_, band) => {
    let hash = band;
    for (let index = 0; index < hashesInBand; index += 1) {
      const seed = band * hashesInBand + index + 1;
      hash = mixed(hash ^ marks.reduce((least, mark) => Math.min(least, mixed(mark ^ mixed(seed)) >>> 0), 0xffffffff));
    }
    return hash;
  });
}

/** Returns a number for each place and direction in which a coarse picture gets lighter or darker. */
function marksOf(steps: number[], direction: number): number[] {
  return steps.flatMap((step, place) => (Math.abs(step) > coarseStep ? [place * 4 + direction * 2 + (step > 0 ? 1 : 0)] : []));
}

/** Returns the steps of grey from each cell to the one `ahead` of it: 1 within the rows, `width` within the columns. */
function stepsOf(cells: Uint8Array, width: number, ahead: number): number[] {
  const steps: number[] = [];
  for (let place = 0; place + ahead < cells.length; place += 1) {
    if (ahead === 1 && (place + 1) % width === 0) continue;
    steps.push(cells[place + ahead]! - cells[place]!);
  }
  return steps;
}

/** Returns a hash of a number (the finaliser of MurmurHash3). */
function mixed(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** The pixels that a cell covers along one side, and the share of the cell that each makes up. */
interface Span {
  from: number;
  shares: number[];
}

function spansOf(pixels: number, cells: number): Span[] {
  const length = pixels / cells;
  return Array.from({ length: cells }, (_, cell) => {
    const from = Math.floor(cell * length);
    const end = Math.min(pixels, Math.ceil((cell + 1) * length));
    const shares = Array.from({ length: end - from }, (_unused, index) => {
      const pixel = from + index;
      return (Math.min(pixel + 1, (cell + 1) * length) - Math.max(pixel, cell * length)) / length;
    });
    return { from, shares };
  });
}

function averaged({ pixels, width, height }: GreyPixels, acrossCells: number, downCells: number): Uint8Array {
  const across = spansOf(width, acrossCells);
  const cells = new Uint8Array(acrossCells * downCells);
  for (const [row, { from, shares }] of spansOf(height, downCells).entries()) {
    const sums = new Float64Array(acrossCells);
    for (let index = 0; index < shares.length; index += 2) {
      const start = (from + index) * width;
      if (index + 1 < shares.length) addRows(sums, pixels, start, start + width, across, shares[index]!, shares[index + 1]!);
      else addRows(sums, pixels, start, start, across, shares[index]!, 0);
    }
    cells.set(sums.map(Math.round), row * acrossCells);
  }
  return cells;
}

/** Adds two rows of pixels to `sums`, averaged over each column's span. One loop for both takes two thirds of the time of two loops. */
function addRows(
  sums: Float64Array,
  pixels: Uint8Array,
  start: number,
  nextStart: number,
  across: Span[],
  share: number,
  nextShare: number,
): void {
  for (let column = 0; column < across.length; column += 1) {
    const { from, shares } = across[column]!;
    let sum = 0;
    let nextSum = 0;
    for (let index = 0; index < shares.length; index += 1) {
      sum += shares[index]! * pixels[start + from + index]!;
      nextSum += shares[index]! * pixels[nextStart + from + index]!;
    }
    sums[column]! += share * sum;
    sums[column]! += nextShare * nextSum;
  }
}

function transposed(cells: Uint8Array, width: number): Uint8Array {
  const height = cells.length / width;
  return cells.map((_, place) => cells[(place % height) * width + Math.floor(place / height)]!);
}
