import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check, hex } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bip44Key, bip49Key, bip84Addresses, bip84Key } from "../../../../tests/support/domain/bitcoin-keys.ts";
import { checkBitcoinAddress } from "./address.ts";
import { addressOf, receiveChain } from "./derive.ts";

const base58check = createBase58check(sha256);

// WALLET-4
describe("an address of an account's receive chain", () => {
  it("is that of BIP 84's test vectors for a zpub", () => {
    const chain = receiveChain(bip84Key);
    expect([0, 1, 2].map((index) => chain.addressAt(index))).toEqual(bip84Addresses);
  });

  it("is that of SLIP 132's test vectors for an xpub and a ypub", () => {
    expect(receiveChain(bip44Key).addressAt(0)).toBe("1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA");
    expect(receiveChain(bip49Key).addressAt(0)).toBe("37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf");
  });

  it("has the script hash of BIP 49's test vector", () => {
    const address = addressOf("p2sh-p2wpkh", hex.decode("38971f73930f6c141d977ac4fd4a727c854935b3"));
    expect(hex.encode(base58check.decode(address))).toBe("05336caa13e08b96080a32b5d818d59b4ab3b36742");
  });

  it("can be paid to, and belongs to one index only", () => {
    const chains = [bip44Key, bip49Key, bip84Key].map(receiveChain);
    fc.assert(
      fc.property(fc.constantFrom(...chains), fc.nat(2 ** 31 - 1), fc.nat(2 ** 31 - 1), (chain, one, other) => {
        expect(checkBitcoinAddress(chain.addressAt(one)).fault).toBeUndefined();
        expect(chain.addressAt(one) === chain.addressAt(other)).toBe(one === other);
      }),
      { numRuns: 30 },
    );
  });

  it("cannot be derived from a point that is not on the curve", () => {
    const payload = base58check.decode(bip84Key);
    payload.set(new Uint8Array(31), 46);
    payload[77] = 7;
    expect(() => receiveChain(base58check.encode(payload))).toThrow("point");
  });
});
