import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { seal, unseal } from "./sealing.ts";

const key = randomBytes(32);
const text = Buffer.from("a code of a mail");
const sealed = seal(key, "an owner", text);

it("unseals what it sealed for the same owner", () => {
  expect(unseal(key, "an owner", sealed)).toEqual(text);
});

it("refuses another key and another owner", () => {
  expect(() => unseal(randomBytes(32), "an owner", sealed)).toThrow("unable to authenticate");
  expect(() => unseal(key, "another owner", sealed)).toThrow("unable to authenticate");
});

it("refuses sealed bytes with any bit changed or a byte missing", () => {
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => unseal(key, "an owner", changed), `bit ${bit}`).toThrow("unable to authenticate");
  }
  expect(() => unseal(key, "an owner", sealed.subarray(0, -1))).toThrow("unable to authenticate");
});

it("seals the same bytes differently each time", () => {
  expect(seal(key, "an owner", text)).not.toEqual(sealed);
});
