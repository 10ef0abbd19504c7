import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bip84Key } from "../../../../tests/support/domain/bitcoin-keys.ts";
import { checkBitcoinAddress } from "./address.ts";
import { base58check } from "./base58.ts";
import { receiveChain } from "./derive.ts";

/** The taproot address of an x coordinate (BIP 341). */
const taproot = (x: Uint8Array): string => bech32m.encode("bc", [1, ...bech32.toWords(x)]);

/** Whether the library for keys accepts an x coordinate in a public key. */
function isKey(x: Uint8Array): boolean {
  const payload = base58check.decode(bip84Key);
  payload.set([2, ...x], 45);
  try {
    return receiveChain(base58check.encode(payload)) !== undefined;
  } catch {
    return false;
  }
}

const address = (text: string) => checkBitcoinAddress(text).address;
const fault = (text: string) => checkBitcoinAddress(text).fault;

describe("segwit addresses", () => {
  it.each(["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"])(
    "accepts the valid addresses of BIP 350, in lower case: %s",
    (text) => {
      expect(address(text)).toBe(text.toLowerCase());
    },
  );

  it.each([
    ["version 1 with 40 bytes", "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y"],
    ["version 1 with 2 bytes", "bc1pfeessrawgf"],
    ["version 16", "BC1SW50QGDZ25J"],
    ["version 2", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"],
  ])("refuses an address that anybody can spend from: %s", (_what, text) => {
    expect(fault(text)).toBe("not_spendable");
  });

  it("refuses 32 bytes of a version that is not defined yet", () => {
    const good = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";
    const [, ...key] = bech32m.decode(good).words;
    expect(fault(bech32m.encode("bc", [1, ...key]))).toBeUndefined();
    expect(fault(bech32m.encode("bc", [2, ...key]))).toBe("not_spendable");
  });

  it.each([
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh",
    "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7",
  ])("accepts the taproot addresses of BIP 86: %s", (text) => expect(address(text)).toBe(text));

  it.each([
    ["not on the curve", "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34"],
    ["beyond the field", "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30"],
  ])("refuses a taproot address whose key BIP 340 has as invalid: %s", (_why, x) => {
    expect(fault(taproot(Uint8Array.from(x.match(/../g)!, (byte) => Number.parseInt(byte, 16))))).toBe("not_spendable");
  });

  it("accepts a taproot address exactly if its key is a point of the curve", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (x) => {
        expect(fault(taproot(x)) === undefined).toBe(isKey(x));
      }),
    );
  });

  it.each([
    [0, 20, 0],
    [0, 32, 0],
    [0, 20, 255],
    [1, 32, 0],
  ])("refuses an address that nobody can spend from: version %i, %i bytes of %i", (version, length, byte) => {
    const words = [version, ...bech32.toWords(new Uint8Array(length).fill(byte))];
    expect(fault((version === 0 ? bech32 : bech32m).encode("bc", words))).toBe("not_spendable");
  });

  it.each(["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3"])(
    "of BIP 173's main network examples are taken: %s",
    (text) => {
      expect(address(text)).toBe(text);
    },
  );

  it.each([
    "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
    "tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
    "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
  ])("of the test network are named as such: %s", (text) => {
    expect(fault(text)).toBe("wrong_network");
  });

  it.each([
    ["human-readable part", "tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut", "not_an_address"],
    ["bech32 for version 1", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "wrong_checksum"],
    ["bech32 for version 2", "tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf", "wrong_network"],
    ["bech32 for version 16", "BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL", "wrong_checksum"],
    ["bech32m for version 0", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", "wrong_checksum"],
    ["bech32m for version 0", "tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47", "wrong_network"],
    ["a letter that is none", "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4", "wrong_checksum"],
    ["witness version 17", "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R", "not_an_address"],
    ["a program of 1 byte", "bc1pw5dgrnzv", "not_an_address"],
    ["a program of 41 bytes", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav", "not_an_address"],
    ["version 0 with 16 bytes", "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "not_an_address"],
    ["mixed case", "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq", "mixed_case"],
    ["padding of more than 4 bits", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf", "not_an_address"],
    ["padding that is not zero", "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j", "wrong_network"],
    ["no data", "bc1gmk9yu", "not_an_address"],
  ])("of BIP 350's invalid list are refused: %s", (_why, text, expected) => {
    expect(fault(text)).toBe(expected);
  });

  it.each([
    "tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
    "BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2",
    "bc1rw5uspcuh",
    "bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90",
    "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
    "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7",
    "bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du",
    "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv",
    // Valid before BIP 350: versions above 0 in bech32.
    "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx",
    "BC1SW50QA3JX3S",
    "bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj",
  ])("of BIP 173's list, as BIP 350 has it, are refused: %s", (text) => {
    expect(address(text)).toBeUndefined();
  });

  it("with one character changed are always refused", () => {
    const good = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3";
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: good.length - 1 }),
        fc.constantFrom(...Array.from("qpzry9x8gf2tvdw0s3jn54khce6mua7l")),
        (at, to) => {
          fc.pre(good[at] !== to);
          expect(fault(good.slice(0, at) + to + good.slice(at + 1))).toBe("wrong_checksum");
        },
      ),
    );
  });

  it("in mixed case say so", () => {
    expect(fault("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4")).toBe("mixed_case");
  });
});

describe("Base58Check addresses", () => {
  it.each([
    "1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW62i",
    "3CMNFxN1oHBc4R1EpboAL5yzHGgE611Xou",
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "16UwLL9Risc3QfPqBUvKofHmBQ7wMtjvM",
    "3P14159f73E4gFr7JterCCQh9QjiTjiZrG",
  ])("of the main network are taken as they are: %s", (text) => {
    expect(address(text)).toBe(text);
  });

  it.each([
    "1111111111111111111114oLvT2",
    "1BitcoinEaterAddressDontSendf59kuE",
    "1CounterpartyXXXXXXXXXXXXXXXUWLpVr",
    "1HT7xU2Ngenf7D4yocz2SAcnNLW7rK8d4E",
  ])("refuses an address that nobody can spend from: %s", (text) => {
    expect(fault(text)).toBe("not_spendable");
  });

  it.each(["mo9ncXisMeAoXwqcV5EWuyncbmCcQN4rVs", "2N2JD6wb56AfK4tfmM6PwdVmoYk2dCKf4Br"])(
    "of the test network are named as such: %s",
    (text) => {
      expect(fault(text)).toBe("wrong_network");
    },
  );

  it("with a character changed, dropped or in the wrong case fail their checksum", () => {
    const good = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";
    for (const bad of [good.replace("Q", "R"), good.replace("Q", ""), good.replace("Q", "q"), good.replace("Q", "0")]) {
      expect(fault(bad), bad).toBe("wrong_checksum");
    }
  });

  it("are not taken for segwit addresses when bc1 stands inside", () => {
    expect(fault("1A1zP1eP5QGefi2DMPTfTL5SLmv7Divbc1")).toBe("wrong_checksum");
  });

  it("with a right checksum over another number of bytes are no addresses", () => {
    const text = createBase58check(sha256).encode(new Uint8Array(20));
    expect(fault(text)).toBe("not_an_address");
  });
});

it("anything else is no address", () => {
  for (const text of [
    "",
    " ",
    "hello",
    "bc1",
    "bc1 qw508",
    "bc1!qw508d6qejx",
    "bc1qw508d6qejx!",
    "0x",
    "x0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0",
    "2A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "1".repeat(5000),
  ]) {
    expect(fault(text), text).toBe("not_an_address");
  }
  // A private key in wallet import format, which nobody should publish.
  expect(fault("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ")).toBe("not_an_address");
  expect(fault("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")).toBe("wrong_network");
});

it("no text makes it throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `bc1${text}`),
      ),
      (text) => void checkBitcoinAddress(text),
    ),
  );
});
