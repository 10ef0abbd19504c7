/**
 * When two pictures are one picture saved again, and not two receipts of the same app. Receipts of one template differ in a few
 * digits, so nothing is summed up over the picture: nowhere may the two differ much. Measured in docs/decisions/031.
 */

/** A picture as cells of grey, 0 to 255, row by row; one that lies on its side is turned over its diagonal. */
export type Picture = Uint8Array;

const columns = 96;
const rows = 192;

/** How far a cell of a copy may be from the original's, in steps of grey. */
export const mostDifference = 28;

/** A step of grey from a cell to its right neighbour that is an edge and no noise. */
const edgeStep = 12;

/** A picture with fewer edges says too little: blank and one-coloured ones would all be alike. */
const fewestEdges = 120;

/** Pixels of grey, a byte each, row by row. */
export interface GreyPixels {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/**
 * The cells of a picture, each the average of all that it covers: that is what every way of saving and scaling leaves as it was.
 * Undefined when there is too little in the picture to tell it from another.
 */
export function pictureOf(grey: GreyPixels): Picture | undefined {
  const picture = grey.width > grey.height ? turned(averaged(grey, rows, columns), rows) : averaged(grey, columns, rows);
  return edgesOf(picture).replaceAll("0", "").length < fewestEdges ? undefined : picture;
}

/** Whether one picture is the other, saved again in another format, size or quality. */
export function isSamePicture(one: Picture, other: Picture): boolean {
  // A plain loop takes a tenth of the time of `every`, and up to 200 pictures are compared on the event loop.
  for (let index = 0; index < one.length; index += 1) {
    if (Math.abs(one[index]! - other[index]!) > mostDifference) return false;
  }
  return true;
}

/** How many bits `edgesOf` gives. */
export const edgeBits = 2 * rows * (columns - 1);

/**
 * Where a picture gets clearly lighter from a cell to the next, and behind all those, where it gets darker: `0` and `1`. What is
 * lighter in one picture and darker in another tells different digits, so few such places make a likely copy.
 */
export function edgesOf(picture: Picture): string {
  const steps = stepsOf(picture, columns, 1);
  return (
    steps.map((step) => (step > edgeStep ? "1" : "0")).join("") + steps.map((step) => (step < -edgeStep ? "1" : "0")).join("")
  );
}

/** The same the other way round: what it has in common with another picture's edges are the places that tell the two apart. */
export function oppositeEdges(edges: string): string {
  return edges.slice(edgeBits / 2) + edges.slice(0, edgeBits / 2);
}

/** How much coarser the look is by which pictures are found at all. */
const coarseness = 4;
const coarseStep = 8;
const bandCount = 16;
const hashesInBand = 5;

/**
 * Signed 32-bit numbers of which two pictures that look alike from afar share at least one, and others hardly ever do: MinHash in
 * bands (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4). Receipts of one template share most of them.
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

/** The places where a coarse picture gets lighter or darker, as numbers of their own for either direction. */
function marksOf(steps: number[], direction: number): number[] {
  return steps.flatMap((step, place) => (Math.abs(step) > coarseStep ? [place * 4 + direction * 2 + (step > 0 ? 1 : 0)] : []));
}

/** From every cell to the one `ahead` of it, within the rows or within the columns. */
function stepsOf(cells: Uint8Array, width: number, ahead: number): number[] {
  const steps: number[] = [];
  for (let place = 0; place + ahead < cells.length; place += 1) {
    if (ahead === 1 && (place + 1) % width === 0) continue;
    steps.push(cells[place + ahead]! - cells[place]!);
  }
  return steps;
}

/** A number that looks drawn by lot (the finaliser of MurmurHash3). */
function mixed(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Which pixels a cell covers along one side, and what share of the cell each of them makes. */
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
    for (const [index, share] of shares.entries()) addRow(sums, pixels, (from + index) * width, across, share);
    cells.set(sums.map(Math.round), row * acrossCells);
  }
  return cells;
}

/** One row of pixels, averaged over each column's span, on top of what is there. */
function addRow(sums: Float64Array, pixels: Uint8Array, start: number, across: Span[], share: number): void {
  for (let column = 0; column < across.length; column += 1) {
    const { from, shares } = across[column]!;
    let sum = 0;
    for (let index = 0; index < shares.length; index += 1) sum += shares[index]! * pixels[start + from + index]!;
    sums[column]! += share * sum;
  }
}

function turned(cells: Uint8Array, width: number): Uint8Array {
  const height = cells.length / width;
  return cells.map((_, place) => cells[(place % height) * width + Math.floor(place / height)]!);
}
