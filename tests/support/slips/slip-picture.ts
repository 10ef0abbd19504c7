import sharp from "sharp";
import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import { drawSlip } from "./draw-slip.ts";
import { randomOf } from "./random.ts";
import { slipText } from "./slip-text.ts";

/** A slip's PNG with a code; another `seed` draws it in another way. */
export function slipPicture(code: SlipCode, seed = 1): Promise<Buffer> {
  return drawSlip(slipText(code), randomOf(seed)).png().toBuffer();
}

/** The PNG of several slips side by side. */
export async function slipsPicture(codes: readonly SlipCode[], seed = 1): Promise<Buffer> {
  const [width, height] = [800, 1600];
  const input = await Promise.all(
    codes.map(async (code, index) =>
      sharp(await slipPicture(code, seed + index))
        .resize({ width, height, fit: "contain" })
        .toBuffer(),
    ),
  );
  return sharp({ create: { width: width * codes.length, height, channels: 3, background: "#ffffff" } })
    .composite(input.map((slip, index) => ({ input: slip, left: width * index, top: 0 })))
    .png()
    .toBuffer();
}
