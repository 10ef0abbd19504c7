import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testClock } from "../../../../../tests/support/app.ts";
import { loadSecrets, type Secrets } from "../../../platform/secrets.ts";
import { accessTokenReader, accessTokenSeconds, signAccessToken } from "./tokens.ts";

const clock = testClock(Date.parse("2026-11-26T12:00:00Z"));
let dataDir: string;
let secrets: Secrets;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "pipwright-tokens-"));
  secrets = await loadSecrets(dataDir, () => Promise.resolve(false));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const sign = async (secondFactorAt: Date | null): Promise<string> => {
  const proof = {
    created_at: clock.now(),
    by_recovery: false,
    second_factor_at: secondFactorAt,
    second_factor_by: secondFactorAt && ("totp" as const),
  };
  const subject = { accountId: randomUUID(), sessionId: randomUUID(), email: "malee@example.com", proof };
  return (await signAccessToken({ secrets, clock }, subject)).access_token;
};

// SESSION-3
it("a token is verified once, and refused from its end on", async () => {
  const read = accessTokenReader({ secrets, clock });
  const token = await sign(null);
  const first = await read(token);
  expect(first).toMatchObject({ passedSecondFactor: false });
  clock.advance(accessTokenSeconds - 1);
  expect(await read(token)).toBe(first);
  clock.advance(1);
  expect(await read(token)).toBeUndefined();
  expect(await read(token)).toBeUndefined();
});

// FACTOR-2
it("says whether the code of the second factor was given", async () => {
  const read = accessTokenReader({ secrets, clock });
  expect(await read(await sign(clock.now()))).toMatchObject({ passedSecondFactor: true });
});
