/** Pixels of three bytes each, row by row. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

type Corner = readonly [x: number, y: number];

/** Top left, top right, bottom right, bottom left. */
export type Corners = readonly [Corner, Corner, Corner, Corner];

/** Returns the coefficients that map a place of the new picture, whose `corners` show the old one's, to a place in the unit square. */
function inverseProjection([a, b, c, d]: Corners): number[] {
  const [dx1, dx2, sx] = [b[0] - c[0], d[0] - c[0], a[0] - b[0] + c[0] - d[0]];
  const [dy1, dy2, sy] = [b[1] - c[1], d[1] - c[1], a[1] - b[1] + c[1] - d[1]];
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / determinant;
  const h = (dx1 * sy - sx * dy1) / determinant;
  const m = [
    b[0] - a[0] + g * b[0],
    d[0] - a[0] + h * d[0],
    a[0],
    b[1] - a[1] + g * b[1],
    d[1] - a[1] + h * d[1],
    a[1],
    g,
    h,
    1,
  ];
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = m as [number, number, number, number, number, number, number, number, number];
  return [
    m4 * m8 - m5 * m7,
    m2 * m7 - m1 * m8,
    m1 * m5 - m2 * m4,
    m5 * m6 - m3 * m8,
    m0 * m8 - m2 * m6,
    m2 * m3 - m0 * m5,
    m3 * m7 - m4 * m6,
    m1 * m6 - m0 * m7,
    m0 * m4 - m1 * m3,
  ];
}

/** Returns a picture with the old one drawn between four corners, as a camera sees a sheet at an angle. Around it is `ground`. */
export function projected(from: Pixels, corners: Corners, width: number, height: number, ground: number): Pixels {
  const [p, q, r, s, t, u, v, w, z] = inverseProjection(corners) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const data = Buffer.alloc(width * height * 3, ground);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const depth = v * x + w * y + z;
      const fromX = ((p * x + q * y + r) / depth) * (from.width - 1);
      const fromY = ((s * x + t * y + u) / depth) * (from.height - 1);
      if (fromX < 0 || fromY < 0 || fromX >= from.width - 1 || fromY >= from.height - 1) continue;
      blend(from, fromX, fromY, data, (y * width + x) * 3);
    }
  }
  return { data, width, height };
}

/** Writes the colour between four pixels. */
function blend({ data, width }: Pixels, x: number, y: number, into: Buffer, at: number): void {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - left, y - top];
  const from = (top * width + left) * 3;
  for (let channel = 0; channel < 3; channel += 1) {
    const place = from + channel;
    const above = data[place]! * (1 - right) + data[place + 3]! * right;
    const below = data[place + width * 3]! * (1 - right) + data[place + width * 3 + 3]! * right;
    into[at + channel] = above * (1 - down) + below * down;
  }
}
