import { bech32, bech32m } from "@scure/base";
import { describe, expect, it } from "vitest";

describe("the library's bech32 and bech32m", () => {
  it.each([
    "A12UEL5L",
    "a12uel5l",
    "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
    "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
    "11qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqc8247j",
    "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w",
    "?1ezyfcl",
  ])("agrees with BIP 173: %s", (text) => {
    expect(bech32.decodeUnsafe(text)).toBeDefined();
    expect(bech32m.decodeUnsafe(text)).toBeUndefined();
  });

  it.each([
    "A1LQFN3A",
    "a1lqfn3a",
    "an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6",
    "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
    "11llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllludsr8",
    "split1checkupstagehandshakeupstreamerranterredcaperredlc445v",
    "?1v759aa",
  ])("agrees with BIP 350: %s", (text) => {
    expect(bech32m.decodeUnsafe(text)).toBeDefined();
    expect(bech32.decodeUnsafe(text)).toBeUndefined();
  });

  it.each([
    "\u00201nwldj5",
    "\u007f1axkwrx",
    "\u00801eym55h",
    "an84characterslonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1569pvx",
    "pzry9x0s0muk",
    "1pzry9x0s0muk",
    "x1b4n0q5v",
    "li1dgmt3",
    "de1lg7wt\u00ff",
    "A1G7SGD8",
    "10a06t8",
    "1qzzfhee",
    "\u00201xj0phk",
    "\u007f1g6xzxy",
    "\u00801vctc34",
    "an84characterslonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11d6pts4",
    "qyrz8wqd2c9m",
    "1qyrz8wqd2c9m",
    "y1b0jsk6g",
    "lt1igcx5c0",
    "in1muywd",
    "mm1crxm3i",
    "au1s5cgom",
    "M1VUXWEZ",
    "16plkw9",
    "1p2gdwpf",
  ])("refuses what BIP 173 or BIP 350 calls invalid: %s", (text) => {
    expect(bech32.decodeUnsafe(text)).toBeUndefined();
    expect(bech32m.decodeUnsafe(text)).toBeUndefined();
  });
});
