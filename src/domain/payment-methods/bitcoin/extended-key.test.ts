import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { describe, expect, it } from "vitest";
import { bip44Key, bip49Key, bip84Key } from "../../../../tests/support/domain/bitcoin-keys.ts";
import { checkExtendedKey } from "./extended-key.ts";

const base58check = createBase58check(sha256);

const fault = (text: string) => checkExtendedKey(text).fault;

/** The key with some of its bytes replaced, and a checksum that is right. */
function changed(key: string, at: number, ...bytes: number[]): string {
  const payload = base58check.decode(key);
  payload.set(bytes, at);
  return base58check.encode(payload);
}

/** Version bytes of SLIP 132 that are refused. */
const otherVersions = {
  tpub: [0x04, 0x35, 0x87, 0xcf],
  upub: [0x04, 0x4a, 0x52, 0x62],
  vpub: [0x04, 0x5f, 0x1c, 0xf6],
  Upub: [0x02, 0x42, 0x89, 0xef],
  Vpub: [0x02, 0x57, 0x54, 0x83],
  Ypub: [0x02, 0x95, 0xb4, 0x3f],
  Zpub: [0x02, 0xaa, 0x7e, 0xd3],
  xprv: [0x04, 0x88, 0xad, 0xe4],
  yprv: [0x04, 0x9d, 0x78, 0x78],
  zprv: [0x04, 0xb2, 0x43, 0x0c],
  tprv: [0x04, 0x35, 0x83, 0x94],
  uprv: [0x04, 0x4a, 0x4e, 0x28],
  vprv: [0x04, 0x5f, 0x18, 0xbc],
  Yprv: [0x02, 0x95, 0xb0, 0x05],
  Zprv: [0x02, 0xaa, 0x7a, 0x99],
};
const withVersion = (name: keyof typeof otherVersions) => changed(bip84Key, 0, ...otherVersions[name]);

// WALLET-4
describe("the key of a Bitcoin account", () => {
  it.each([bip44Key, bip49Key, bip84Key])("accepts the account keys of SLIP 132: %s", (key) => {
    expect(checkExtendedKey(key)).toEqual({ address: key });
  });

  it.each(["tpub", "upub", "vpub", "Upub", "Vpub"] as const)("refuses the test network's %s as such", (name) => {
    expect(withVersion(name)).toMatch(new RegExp(`^${name}`));
    expect(fault(withVersion(name))).toBe("wrong_network");
  });

  it.each(["Ypub", "Zpub"] as const)("refuses %s, which several signers share", (name) => {
    expect(withVersion(name)).toMatch(new RegExp(`^${name}`));
    expect(fault(withVersion(name))).toBe("several_signers");
  });

  it.each(["xprv", "yprv", "zprv", "tprv", "uprv", "vprv", "Yprv", "Zprv"] as const)("refuses the private %s", (name) => {
    expect(withVersion(name)).toMatch(new RegExp(`^${name}`));
    expect(fault(withVersion(name))).toBe("private_key");
    expect(fault(withVersion(name).slice(0, 20))).toBe("private_key");
  });

  it.each([
    ["uncompressed", "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"],
    ["compressed", "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn"],
    ["of the test network", "cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA"],
  ])("refuses a private key as wallets export one: %s", (_what, text) => expect(fault(text)).toBe("private_key"));

  const words = (count: number): string => Array.from({ length: count }, () => "abandon").join(" ");

  it.each([12, 24])("refuses a recovery phrase of %i words", (count) => {
    expect(fault(words(count))).toBe("private_key");
    expect(fault(words(count).replaceAll(" ", " \n"))).toBe("private_key");
  });

  it.each(["abaisser", "ábaco", "ábaco".normalize("NFD"), "あいこくしん", "がっこう".normalize("NFKD"), "가격", "的"])(
    "refuses a recovery phrase in another language: %s",
    (word) => {
      for (const blank of [" ", "\u3000"]) {
        expect(fault(Array.from({ length: 12 }, () => word).join(blank))).toBe("private_key");
        expect(fault(Array.from({ length: 25 }, () => word).join(blank))).toBe("not_a_key");
      }
    },
  );

  it.each<[string, (index: number) => string, string]>([
    ["in lines", (index) => `${index}. abandon`, "\n"],
    ["in brackets", (index) => `(${index}) abandon`, " "],
    ["without a blank", (index) => `${index}.abandon`, ", "],
    ["by a bare number", (index) => `${index} abandon`, " "],
  ])("refuses a recovery phrase whose words are numbered %s", (_how, numbered, between) => {
    const phrase = (count: number): string =>
      Array.from({ length: count }, (_none, index) => numbered(index + 1)).join(between);
    expect([11, 12, 24, 25].map((count) => fault(phrase(count)))).toEqual([
      "not_a_key",
      "private_key",
      "private_key",
      "not_a_key",
    ]);
  });

  it("takes no longer text for a secret", () => {
    const wif = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
    for (const text of [`key: ${withVersion("xprv")}`, `${wif}abc`, `x7 ${words(12)}`, words(25)])
      expect(fault(text)).toBe("not_a_key");
  });

  it("refuses the versions beside those of keys, whose texts begin as they do", () => {
    const beside = [-2, -1, 1, 2].map((step) => changed(bip84Key, 0, 0x04, 0xb2, 0x47, 0x46 + step));
    const alike = beside.filter((text) => text.startsWith("zpub"));
    expect(alike).not.toEqual([]);
    for (const text of alike) expect(fault(text)).toBe("not_a_key");
  });

  it("refuses a payload of other bytes", () => {
    const payload = base58check.decode(bip84Key);
    const others = [payload.subarray(0, 3), payload.subarray(0, 77), Uint8Array.from([...payload, 0])];
    for (const bytes of others) expect(["not_a_key", "wrong_checksum"]).toContain(fault(base58check.encode(bytes)));
  });

  it.each([
    ["nothing like a key", "send it to Somchai"],
    ["eleven words", words(11)],
    ["an address", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["a key after other text", `key: ${bip84Key}`],
    ["an unknown version", changed(bip84Key, 0, 4, 0x9d, 0x60, 0)],
    ["a key that is cut short", base58check.encode(base58check.decode(bip84Key).subarray(0, 77))],
    ["an uncompressed key", changed(bip84Key, 45, 4)],
    ["a key of an unknown form", changed(bip84Key, 45, 1)],
  ])("refuses %s", (_what, text) => {
    expect(["not_a_key", "wrong_checksum"]).toContain(fault(text));
    expect(checkExtendedKey(text).address).toBeUndefined();
  });

  it("reports a mistyped character", () => {
    expect(fault(`${bip84Key.slice(0, -1)}t`)).toBe("wrong_checksum");
    expect(fault(bip84Key.slice(0, 60))).toBe("wrong_checksum");
    expect(fault(`key: ${bip84Key}`)).toBe("not_a_key");
    expect(fault(`w${bip84Key.slice(1, 60)}`)).toBe("not_a_key");
  });

  it.each<[string, number, number, string?]>([
    ["the master key", 0, 0],
    ["a purpose", 1, 0x80],
    ["a coin", 2, 0x80],
    ["a chain", 4, 0],
    ["an account that is not hardened", 3, 0],
    ["a coin of segwit", 2, 0x80, bip84Key],
  ])("refuses a key that is not an account's: %s", (_what, depth, child, key = bip44Key) => {
    expect(fault(changed(changed(key, 4, depth), 9, child, 0, 0, 0))).toBe("not_an_account");
  });

  it("accepts Electrum's segwit account, the master key's first hardened child", () => {
    const electrum = changed(changed(bip84Key, 4, 1), 9, 0x80, 0, 0, 0);
    expect(fault(electrum)).toBeUndefined();
    expect(fault(changed(electrum, 12, 84))).toBe("not_an_account");
  });
});

describe("the test vectors of BIP 32", () => {
  it.each([
    [
      "m/0'",
      "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
      "not_an_account",
    ],
    [
      "m/0'/1",
      "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ",
      "not_an_account",
    ],
    [
      "m/0'/1/2'",
      "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5",
      undefined,
    ],
    [
      "m/0'/1/2'/2",
      "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
      "not_an_account",
    ],
    [
      "m/0'/1/2', private",
      "xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM",
      "private_key",
    ],
  ])("take %s as %s", (_path, key, expected) => expect(fault(key)).toBe(expected));

  it.each([
    [
      "the version of a public key on a private one",
      "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU521AAwdZafEz7mnzBBsz4wKY5fTtTQBm",
    ],
    [
      "the version of a private key on a public one",
      "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGTQQD3dC4H2D5GBj7vWvSQaaBv5cxi9gafk7NF3pnBju6dwKvH",
    ],
    [
      "the form 04",
      "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Txnt3siSujt9RCVYsx4qHZGc62TG4McvMGcAUjeuwZdduYEvFn",
    ],
    [
      "the form 01",
      "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6N8ZMMXctdiCjxTNq964yKkwrkBJJwpzZS4HS2fxvyYUA4q2Xe4",
    ],
    [
      "no depth, and a parent",
      "xpub661no6RGEX3uJkY4bNnPcw4URcQTrSibUZ4NqJEw5eBkv7ovTwgiT91XX27VbEXGENhYRCf7hyEbWrR3FewATdCEebj6znwMfQkhRYHRLpJ",
    ],
    [
      "no depth, and a number",
      "xpub661MyMwAuDcm6CRQ5N4qiHKrJ39Xe1R1NyfouMKTTWcguwVcfrZJaNvhpebzGerh7gucBvzEQWRugZDuDXjNDRmXzSZe4c7mnTK97pTvGS8",
    ],
    [
      "an unknown version",
      "DMwo58pR1QLEFihHiXPVykYB6fJmsTvHvyTp7hRThAtCX8CvYzgPcn8XnmdfHGMQzT7ayAmfo4z3gY5KfbrZWZ6St24UVf2Qgo6oujFktLHdHe4",
    ],
    [
      "a point that is not on the curve",
      "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Q5JXayek4PRsn35jii4veMimro1xefsM58PgBMrvdYre8QyULY",
    ],
    [
      "a wrong checksum",
      "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHL",
    ],
  ])("refuse %s", (_what, key) => expect(checkExtendedKey(key).address).toBeUndefined());
});
