// Over 250 lines: every limit of one fingerprint, with the pictures that are made for them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bandsOf,
  edgeBits,
  edgesOf,
  perceptualFingerprint,
  isSamePicture,
  maxDifference,
  oppositeEdges,
  sampleOf,
  type GreyPixels,
  type Picture,
} from "./perceptual-fingerprint.ts";

/** Returns a function that returns numbers of 24 bits which look random, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

/** Returns a page of blocks of ink, placed by a seed. */
function page(seed: number): GreyPixels {
  const [width, height, dot] = [960, 1920, 10];
  const pixels = new Uint8Array(width * height).fill(240);
  const random = randomFrom(seed);
  for (let mark = 0; mark < 900; mark += 1) {
    const number = random();
    const [left, top] = [(number >>> 0) % 94, (number >>> 8) % 190];
    for (let y = top * dot; y < (top + 1) * dot; y += 1) {
      pixels.fill(30, y * width + left * dot, y * width + (left + 1) * dot);
    }
  }
  return { pixels, width, height };
}

/** Enlarges a picture as a viewer does: each new pixel is mixed from the four around its position. */
function scaled({ pixels, width, height }: GreyPixels, factor: number): GreyPixels {
  const [newWidth, newHeight] = [Math.round(width * factor), Math.round(height * factor)];
  const larger = new Uint8Array(newWidth * newHeight);
  for (let row = 0; row < newHeight; row += 1) {
    const y = Math.max(0, ((row + 0.5) * height) / newHeight - 0.5);
    const [top, bottom, down] = [Math.floor(y) * width, Math.min(Math.floor(y) + 1, height - 1) * width, y % 1];
    for (let column = 0; column < newWidth; column += 1) {
      const x = Math.max(0, ((column + 0.5) * width) / newWidth - 0.5);
      const left = Math.floor(x);
      const right = Math.min(left + 1, width - 1);
      const above = pixels[top + left]! * (1 - (x % 1)) + pixels[top + right]! * (x % 1);
      const below = pixels[bottom + left]! * (1 - (x % 1)) + pixels[bottom + right]! * (x % 1);
      larger[row * newWidth + column] = Math.round(above * (1 - down) + below * down);
    }
  }
  return { pixels: larger, width: newWidth, height: newHeight };
}

const sure = (picture: Picture | undefined): Picture => {
  if (picture === undefined) throw new Error("There is no picture.");
  return picture;
};

const pictureOf = (grey: GreyPixels): Picture | undefined => perceptualFingerprint(grey)?.picture;
const seeds = fc.integer({ min: 1, max: 1_000_000 });
const shared = (one: Picture, other: Picture): number => {
  const bands = bandsOf(other);
  return bandsOf(one).filter((band) => bands.includes(band)).length;
};
const opposed = (one: Picture, other: Picture): number => {
  const edges = oppositeEdges(edgesOf(other));
  return [...edgesOf(one)].filter((bit, place) => bit === "1" && edges[place] === "1").length;
};

describe("a picture saved again", () => {
  it("finds an enlarged picture by its bands and takes it for the same", () => {
    fc.assert(
      fc.property(seeds, fc.double({ min: 1, max: 1.6, noNaN: true }), (seed, factor) => {
        const original = sure(pictureOf(page(seed)));
        const copy = sure(pictureOf(scaled(page(seed), factor)));
        expect(isSamePicture(original, copy)).toBe(true);
        expect(shared(original, copy)).toBeGreaterThan(0);
        expect(opposed(original, copy)).toBe(0);
      }),
      { numRuns: 4 },
    );
  });

  it("takes a picture with noise in every cell for the same", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const original = sure(pictureOf(page(seed)));
        const random = randomFrom(seed);
        const copy = original.map((grey) => Math.min(255, Math.max(0, grey + (random() % 13) - 6)));
        expect(isSamePicture(original, copy)).toBe(true);
        expect(isSamePicture(copy, original)).toBe(true);
        expect(shared(original, copy)).toBeGreaterThan(0);
      }),
      { numRuns: 20 },
    );
  });

  it("makes the same cells of a picture on its side", () => {
    const [width, height] = [1920, 960];
    const upright = page(7);
    const lying = Uint8Array.from({ length: width * height }, (_, place) => {
      return upright.pixels[(place % width) * height + Math.floor(place / width)]!;
    });
    const picture = sure(pictureOf({ pixels: lying, width, height }));
    expect(picture).toEqual(pictureOf(upright));
  });
});

describe("two pictures of one template", () => {
  it("takes two pictures for different when a single cell differs", () => {
    const cells = fc.integer({ min: 0, max: 96 * 192 - 1 });
    fc.assert(
      fc.property(seeds, cells, fc.integer({ min: 0, max: 255 }), (seed, cell, grey) => {
        const original = sure(pictureOf(page(seed)));
        const other = original.map((value, place) => (place === cell ? grey : value));
        const isSame = Math.abs(original[cell]! - grey) <= maxDifference;
        expect(isSamePicture(original, other)).toBe(isSame);
      }),
      { numRuns: 50 },
    );
  });

  it("finds opposite edges in pictures of one template", () => {
    const original = sure(pictureOf(page(3)));
    const other = original.map((grey, place) => (place % 96 < 4 ? 255 - grey : grey));
    expect(opposed(original, other)).toBeGreaterThan(0);
    expect(opposed(original, original)).toBe(0);
  });
});

describe("pictures of different things", () => {
  it("takes different pictures for different, which rarely share a band", () => {
    const pictures = Array.from({ length: 24 }, (_, index) => sure(pictureOf(page(index * 7919 + 1))));
    const pairs = pictures.flatMap((one, index) => pictures.slice(index + 1).map((other) => [one, other] as const));
    expect(pairs.filter(([one, other]) => isSamePicture(one, other))).toEqual([]);
    const found = pairs.filter(([one, other]) => shared(one, other) > 0);
    expect(found.length / pairs.length).toBeLessThan(0.05);
  });
});

describe("a picture with too few edges", () => {
  const flat = (grey: number, width: number, height: number): GreyPixels => ({
    pixels: new Uint8Array(width * height).fill(grey),
    width,
    height,
  });

  it.each([
    ["one colour", flat(128, 400, 800)],
    ["a single pixel", flat(0, 1, 1)],
    ["a line of pixels", flat(0, 5000, 1)],
    ["two halves", { ...flat(250, 400, 800), pixels: new Uint8Array(400 * 800).fill(20, 0, 400 * 400) }],
  ])("makes no cells of a picture with too few edges: %s", (_what, grey) => {
    expect(pictureOf(grey)).toBeUndefined();
  });

  it("makes no cells of a soft gradient", () => {
    const pixels = Uint8Array.from({ length: 400 * 800 }, (_, place) => (place % 400) / 2);
    expect(pictureOf({ pixels, width: 400, height: 800 })).toBeUndefined();
  });
});

it("averages pixels exactly when the size is no multiple of the cells", () => {
  const [width, height] = [101, 199];
  const pixels = Uint8Array.from({ length: width * height }, (_, place) => (place % width) * 2 + (place % 2) * 50);
  const picture = sure(pictureOf({ pixels, width, height }));
  const mean = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length;
  expect(picture).toHaveLength(96 * 192);
  expect(mean(picture)).toBeCloseTo(mean(pixels), 0);
});

it("makes edges and bands that fit the columns of the database", () => {
  const picture = sure(pictureOf(page(11)));
  expect(edgesOf(picture)).toHaveLength(edgeBits);
  expect(edgesOf(picture)).toMatch(/^[01]+$/);
  expect(oppositeEdges(oppositeEdges(edgesOf(picture)))).toBe(edgesOf(picture));
  const bands = bandsOf(picture);
  expect(bands).toHaveLength(16);
  for (const band of bands) expect(band | 0).toBe(band);
  expect(bandsOf(picture)).toEqual(bands);
});

describe("the limits of a fingerprint", () => {
  /** A grey picture with cells of other greys at some places. */
  const greyWith = (cells: Record<number, number>): Uint8Array =>
    new Uint8Array(96 * 192).map((_, place) => cells[place] ?? 100);
  const hasFingerprint = (pixels: Uint8Array): boolean =>
    perceptualFingerprint({ pixels, width: 96, height: 192 }) !== undefined;
  const places = (edges: string): number[] => [...edges].flatMap((bit, place) => (bit === "1" ? [place] : []));

  it("takes a step of more than 12 for an edge, lighter ones before darker ones", () => {
    expect(places(edgesOf(greyWith({ 1: 112 })))).toEqual([]);
    expect(places(edgesOf(greyWith({ 1: 113 })))).toEqual([0, edgeBits / 2 + 1]);
    expect(places(edgesOf(greyWith({ 1: 88 })))).toEqual([]);
    expect(places(edgesOf(greyWith({ 1: 87 })))).toEqual([1, edgeBits / 2]);
  });

  it("finds no edge from the end of a row to the next", () => {
    expect(places(edgesOf(greyWith({ 95: 200 })))).toEqual([94]);
    expect(places(edgesOf(greyWith({ 96: 200 })))).toEqual([edgeBits / 2 + 95]);
  });

  it("needs 120 edges", () => {
    const dots = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, row) => [row * 96 + 40, 200]));
    expect(hasFingerprint(greyWith(dots(60)))).toBe(true);
    expect(hasFingerprint(greyWith({ ...dots(59), [100 * 96 + 95]: 200 }))).toBe(false);
  });

  it("leaves a square picture upright", () => {
    // Its left half is dark: lying, it would have no edges.
    const pixels = new Uint8Array(192 * 192).map((_, place) => (place % 192 < 96 ? 0 : 255));
    expect(perceptualFingerprint({ pixels, width: 192, height: 192 })).toBeDefined();
  });

  it("takes cells that differ by 28 for the same, and by 29 for others", () => {
    const [one, same, other] = [greyWith({}), greyWith({ 18_431: 128 }), greyWith({ 0: 71 })];
    expect([isSamePicture(one, same), isSamePicture(same, one)]).toEqual([true, true]);
    expect([isSamePicture(one, other), isSamePicture(other, one)]).toEqual([false, false]);
  });

  it("takes every sixteenth row, from the ninth, as the sample", () => {
    const picture = greyWith({}).map((_, place) => Math.floor(place / 96));
    const sampled = Array.from({ length: 12 }, (_, index) => Array.from({ length: 96 }, () => 16 * index + 8));
    expect([...sampleOf(picture)]).toEqual(sampled.flat());
  });

  it.each([
    ["across", (place: number, step: number) => (place % 96 < 48 ? 100 : 100 + step)],
    ["down", (place: number, step: number) => (place < 96 * 96 ? 100 : 100 + step)],
  ])("sees a step of more than 8 between coarse cells %s in its bands", (_direction, grey) => {
    const bandsWith = (step: number) => bandsOf(greyWith({}).map((_, place) => grey(place, step)));
    expect([bandsWith(8), bandsWith(-8)]).toEqual([bandsWith(0), bandsWith(0)]);
    expect(new Set([bandsWith(0), bandsWith(9), bandsWith(-9)].map(String)).size).toBe(3);
  });
});

it("makes the same fingerprint in every version", () => {
  const { picture, edges, bands } = perceptualFingerprint(page(11))!;
  expect(bands).toEqual([
    -1_553_901_765, 740_394_820, -576_622_859, -1_238_325_834, -1_477_972_607, 2_042_871_523, -307_852_796, -1_478_022_695,
    -1_371_819_955, -1_134_178_911, 132_471_148, -992_418_842, -1_359_229_102, -1_756_021_131, 1_121_077_211, -1_171_989_771,
  ]);
  expect(edges.replaceAll("0", "")).toHaveLength(1677);
  expect(picture).toEqual(pictureOf(page(11)));
  const odd = Uint8Array.from({ length: 101 * 199 }, (_, place) => (place * 37) % 251);
  const cells = sure(pictureOf({ pixels: odd, width: 101, height: 199 }));
  expect([0, 1, 95, 96, 9000, 18_431].map((place) => cells[place])).toEqual([9, 40, 183, 211, 104, 163]);
});
