import { expect, it } from "vitest";
import type { Secrets } from "../../../platform/secrets.ts";
import { recoveryCodeHash } from "./recovery-codes.ts";

const secrets = { codePepper: Buffer.alloc(32) } as Secrets;

// FACTOR-4.
it.each(["0o111-abcde", "0OIlL ABCDE", "oo1il-abcde"])("takes letters that look alike for digits: %s", (typed) => {
  const [hash, shown] = [typed, "00111-abcde"].map((code) => recoveryCodeHash(secrets, "factor", code).toString("hex"));
  expect(hash).toBe(shown);
});

it("takes no other letters for one another", () => {
  const codes = ["00111-abcde", "0111-abcde", "00111-abcdf", "00000-abcde"];
  const hashes = codes.map((code) => recoveryCodeHash(secrets, "factor", code).toString("hex"));
  expect(new Set(hashes).size).toBe(codes.length);
});
