import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkEthereumAddress } from "./address.ts";

/** The document's own: all caps, all lower, normal. */
const vectors = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

describe("an Ethereum address", () => {
  it.each(vectors)("of EIP-55 is taken, also without its checksum, and given with it: %s", (text) => {
    expect(checkEthereumAddress(text)).toEqual({ address: text });
    expect(checkEthereumAddress(text.toLowerCase())).toEqual({ address: text });
    expect(checkEthereumAddress(`0x${text.slice(2).toUpperCase()}`)).toEqual({ address: text });
  });

  it.each([
    `0x${"0".repeat(40)}`,
    `0x${"f".repeat(40)}`,
    `0x${"e".repeat(40)}`,
    "0x0000000000000000000000000000000000000001",
    "0x000000000000000000000000000000000000ffff",
    "0x000000000000000000000000000000000000dEaD",
    "0xdEAD000000000000000042069420694206942069",
  ])("refuses an address that nobody can spend from: %s", (text) => {
    expect(checkEthereumAddress(text)).toEqual({ fault: "not_spendable" });
  });

  it("with any one letter in the wrong case is refused", () => {
    for (const text of vectors.slice(4)) {
      for (let at = 2; at < text.length; at++) {
        const letter = text[at]!;
        const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        if (turned === letter) continue;
        expect(checkEthereumAddress(text.slice(0, at) + turned + text.slice(at + 1))).toEqual({ fault: "wrong_checksum" });
      }
    }
  });

  it("checked once stays as it is", () => {
    const hex = fc.string({ unit: fc.constantFrom(...Array.from("0123456789abcdef")), minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(hex, (digits) => {
        const { address } = checkEthereumAddress(`0x${digits}`);
        expect(address?.toLowerCase()).toBe(`0x${digits}`);
        expect(checkEthereumAddress(address ?? "")).toEqual({ address });
      }),
    );
  });

  it("is 0x and 40 hexadecimal digits", () => {
    const good = vectors[4]!;
    for (const text of [
      "",
      "0x",
      good.slice(2),
      good.slice(0, -1),
      `${good}0`,
      `x${good}`,
      good.replace("0x", "0X"),
      "vitalik.eth",
      "0xSAMPLE",
    ]) {
      expect(checkEthereumAddress(text), text).toEqual({ fault: "not_an_address" });
    }
    expect(checkEthereumAddress("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")).toEqual({ fault: "wrong_network" });
  });
});
