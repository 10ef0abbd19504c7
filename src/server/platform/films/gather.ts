/** Ranges that are not further apart in a file are read at once, as long as that is not too much. */
const mostApart = 64 * 1024;
const mostAtOnce = 8 * 1024 ** 2;

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
    const [start, end] = [ranges[at]!, ranges[at + 1]!];
    places.push({ start, end, at: length });
    length += end - start;
  }
  const gathered = Buffer.alloc(length);
  for (const near of neighbours(places.toSorted((one, other) => one.start - other.start))) {
    const from = near[0]!.start;
    const bytes = await read(
      from,
      near.reduce((most, { end }) => Math.max(most, end), from),
    );
    for (const { start, end, at } of near) bytes.copy(gathered, at, start - from, end - from);
  }
  return gathered;
}

/** Iterates over places that are read at once, which are given in the order of the file. */
function* neighbours(places: Place[]): Generator<Place[], undefined> {
  let near: Place[] = [];
  let end = 0;
  for (const place of places) {
    const isFar = place.start - end > mostApart || place.end - (near[0]?.start ?? 0) > mostAtOnce;
    if (near.length > 0 && isFar) {
      yield near;
      near = [];
      end = 0;
    }
    near.push(place);
    end = Math.max(end, place.end);
  }
  if (near.length > 0) yield near;
  return undefined;
}
