import fc from "fast-check";
import { decimal } from "#domain/money";

/** Arbitrary decimal strings from 0 to `max` with at most `places` digits after the point. */
export const decimals = (places: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: max * 10 ** places }).map((units) =>
    decimal(String(units))
      .div(10 ** places)
      .toFixed(),
  );
