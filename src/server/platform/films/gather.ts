/** Ranges that are not further apart in a file are read at once, as long as that is not too much. */
const maxGapBytes = 64 * 1024;
const maxAtOnceBytes = 8 * 1024 ** 2;

interface Place {
  start: number;
  end: number;
  /** Where its bytes are to stand. */
  at: number;
}

/** Returns how many bytes ranges have, whose starts and ends take turns. */
export function lengthOfRanges(ranges: Float64Array): number {
  return ranges.reduce((sum, position, at) => sum + (at % 2 === 0 ? -position : position), 0);
}

/** Returns the bytes of ranges in their order, whose starts and ends take turns. `read` returns those of a file from `start` up to `end`. */
export async function gather(read: (start: number, end: number) => Promise<Buffer>, ranges: Float64Array): Promise<Buffer> {
  const places: Place[] = [];
  let length = 0;
  for (let at = 0; at < ranges.length; at += 2) {
    for (let start = ranges[at]!; start < ranges[at + 1]!; start += maxAtOnceBytes) {
      const end = Math.min(start + maxAtOnceBytes, ranges[at + 1]!);
      places.push({ start, end, at: length });
      length += end - start;
    }
  }
  const gathered = Buffer.alloc(length);
  for (const { start: from, end: to, places: within } of stretchesOf(places)) {
    const bytes = await read(from, to);
    for (const { start, end, at } of within) bytes.copy(gathered, at, start - from, end - from);
  }
  return gathered;
}

interface Stretch {
  start: number;
  end: number;
  places: Place[];
}

/** Returns what is read at once. */
function stretchesOf(places: Place[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const place of places.toSorted((one, other) => one.start - other.start)) {
    const last = stretches.at(-1);
    const isNear = last && place.start - last.end <= maxGapBytes && place.end - last.start <= maxAtOnceBytes;
    if (!isNear) stretches.push({ start: place.start, end: place.end, places: [place] });
    else {
      last.end = Math.max(last.end, place.end);
      last.places.push(place);
    }
  }
  return stretches;
}
