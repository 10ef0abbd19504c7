import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import { drawSlip } from "./draw-slip.ts";
import { randomOf } from "./random.ts";
import { slipText } from "./slip-text.ts";

/** A slip's PNG with a code; another `seed` draws it in another way. */
export function slipPicture(code: SlipCode, seed = 1): Promise<Buffer> {
  return drawSlip(slipText(code), randomOf(seed)).png().toBuffer();
}
