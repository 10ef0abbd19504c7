import sharp, { type Sharp } from "sharp";
import type { Random } from "./random.ts";
import { projected, type Corners, type Pixels } from "./warp.ts";

type Mutation = (slip: Sharp, random: Random) => Promise<Buffer>;

/** What happens to slips between a bank's app and an upload; each returns a picture file. */
export const mutations: Record<string, Mutation> = {
  untouched: (slip) => slip.png().toBuffer(),
  cropped: async (slip, random) => {
    const { width, height, data } = await pixelsOf(slip);
    // Banks' codes stand in the lower part, which stays.
    const top = Math.round(height * random.between(0.1, 0.4));
    const picture = sharp(data, { raw: { width, height, channels: 3 } });
    return picture
      .extract({ left: 0, top, width, height: height - top })
      .jpeg({ quality: 80 })
      .toBuffer();
  },
  brightened: (slip, random) => slip.linear(random.between(1.1, 1.4), random.between(20, 70)).jpeg({ quality: 80 }).toBuffer(),
  darkened: (slip, random) => slip.linear(random.between(0.15, 0.5), 0).jpeg({ quality: 75 }).toBuffer(),
  "JPEG 40": (slip) => slip.jpeg({ quality: 40 }).toBuffer(),
  "scaled down": async (slip, random) => {
    const { width } = await pixelsOf(slip);
    const smaller = sharp(await slip.png().toBuffer()).resize(Math.round(width * random.between(0.45, 0.75)));
    return smaller.jpeg({ quality: 85 }).toBuffer();
  },
  "sent by messenger": async (slip) => {
    const once = await slip.resize({ height: 1280, fit: "inside", withoutEnlargement: true }).jpeg({ quality: 70 }).toBuffer();
    return sharp(once).resize({ height: 1120, fit: "inside", withoutEnlargement: true }).jpeg({ quality: 60 }).toBuffer();
  },
  noisy: async (slip, random) => {
    const pixels = await pixelsOf(slip);
    addNoise(pixels, random.between(15, 40), random);
    return fileOf(pixels, 75);
  },
  "at an angle": async (slip, random) => fileOf(await photograph(await pixelsOf(slip), 0.12, random), 80),
  "at an angle in the dark": async (slip, random) => {
    const photo = await photograph(await pixelsOf(slip), 0.08, random);
    shade(photo, random.between(0.25, 0.5), random);
    addNoise(photo, 12, random);
    return fileOf(photo, 70);
  },
  "on its side": async (slip, random) => {
    const turned = sharp(await slip.png().toBuffer()).rotate(random.pick([90, 180, 270]));
    return turned.jpeg({ quality: 70 }).toBuffer();
  },
  inverted: (slip) => slip.negate({ alpha: false }).jpeg({ quality: 70 }).toBuffer(),
  "small in a photo": async (slip, random) => {
    const { data, info } = await sharp(await slip.png().toBuffer())
      .resize(random.whole(900, 1400))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const sheet = { data, width: info.width, height: info.height };
    return fileOf(await photograph(sheet, 0.05, random, { width: 4000, height: 3000 }), 80);
  },
};

async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.flatten({ background: "#ffffff" }).toColourspace("srgb").removeAlpha().raw().toBuffer({
    resolveWithObject: true,
  });
  return { data, width: info.width, height: info.height };
}

function fileOf({ data, width, height }: Pixels, quality: number): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}

/** Returns a photo of a sheet whose corners are moved by up to `skew` of its sides, by default on a ground a little larger, out of focus. */
async function photograph(
  sheet: Pixels,
  skew: number,
  random: Random,
  ground = { width: Math.round(sheet.width * 1.15), height: Math.round(sheet.height * 1.15) },
): Promise<Pixels> {
  const { width, height } = ground;
  const [left, top] = [(width - sheet.width) / 2, Math.max(0, (height - sheet.height) / 2)];
  const shown = Math.min(sheet.height, height);
  const moved = (x: number, y: number) =>
    [x + sheet.width * random.between(-skew, skew), y + shown * random.between(-skew, skew)] as const;
  const corners: Corners = [
    moved(left, top),
    moved(left + sheet.width, top),
    moved(left + sheet.width, top + shown),
    moved(left, top + shown),
  ];
  const photo = projected(sheet, corners, width, height, 90);
  const blurred = sharp(photo.data, { raw: { width, height, channels: 3 } }).blur(random.between(0.4, 1.1));
  return { data: await blurred.raw().toBuffer(), width, height };
}

/** Darkens a picture more to one side, as a lamp does. */
function shade({ data, width }: Pixels, darkest: number, random: Random): void {
  const isLeft = random.whole(0, 1) === 0;
  for (let at = 0; at < data.length; at += 3) {
    const across = ((at / 3) % width) / width;
    const light = darkest + (0.75 - darkest) * (isLeft ? across : 1 - across);
    for (let channel = at; channel < at + 3; channel += 1) data[channel] = data[channel]! * light;
  }
}

function addNoise({ data }: Pixels, strength: number, random: Random): void {
  for (let at = 0; at < data.length; at += 1) {
    data[at] = Math.max(0, Math.min(255, data[at]! + random.between(-strength, strength)));
  }
}
