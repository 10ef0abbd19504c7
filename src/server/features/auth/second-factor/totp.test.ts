import { describe, expect, it } from "vitest";
import { codeOfStep, keyUri, matchingStep, stepAt } from "./totp.ts";

const secret = Buffer.from("12345678901234567890");
const at = (seconds: number): Date => new Date(seconds * 1000);

describe("a code of the authenticator app", () => {
  it.each([
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ])("matches RFC 6238, appendix B, at %i s", (seconds, code) => {
    expect(codeOfStep(secret, stepAt(at(seconds)))).toBe(code.slice(-6));
  });

  it("accepts a code one step early or late, not two", () => {
    const now = at(1_234_567_890);
    const accepted = [-2, -1, 0, 1, 2].filter(
      (drift) => matchingStep(secret, codeOfStep(secret, stepAt(now) + drift), now) !== undefined,
    );
    expect(accepted).toEqual([-1, 0, 1]);
  });

  it.each(["", "12345", "1234567", "12345é", "abcdef"])("refuses %j as a code", (typed) => {
    expect(matchingStep(secret, typed, at(59))).toBeUndefined();
  });

  it("escapes name and account in the otpauth address", () => {
    expect(keyUri(secret, { issuer: "A & B", account: "nok+1@example.com" })).toBe(
      "otpauth://totp/A%20%26%20B:nok%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%20%26%20B&algorithm=SHA1&digits=6&period=30",
    );
  });
});
