import { codeOfStep, stepAt } from "#server/features/auth/second-factor/totp";
import { base32nopad } from "@scure/base";
import type { TestApp } from "./app.ts";
import { withSession, type Answer, type Person } from "./people.ts";

/** An authenticator app with the secret of one factor. */
export interface Authenticator {
  factorId: string;
  recoveryCodes: string[];
  /** The current code, or that of some steps later. */
  code(stepsLater?: number): string;
}

/** Returns the code that an app with this secret shows, as authenticator apps take it. */
export function codeOf(secret: string, time: Date, stepsLater = 0): string {
  return codeOfStep(Buffer.from(base32nopad.decode(secret)), stepAt(time) + stepsLater);
}

/** Enrols a factor, which no code has verified yet. */
export async function enroll(app: TestApp, someone: Person): Promise<Authenticator> {
  const { status, body } = await someone.call("POST", "/auth/v1/factors", { factor_type: "totp" });
  if (status !== 200) throw new Error(`The enrolment returned ${status}: ${JSON.stringify(body)}`);
  return {
    factorId: body.id,
    recoveryCodes: body.recovery_codes,
    code: (stepsLater) => codeOf(body.totp.secret, app.clock.now(), stepsLater),
  };
}

/** Requests a challenge and verifies it. */
export async function answerChallenge(someone: Person, factorId: string, code: string): Promise<Answer> {
  const challenge = await someone.call("POST", `/auth/v1/factors/${factorId}/challenge`, { factorId });
  if (challenge.status !== 200) return challenge;
  return someone.call("POST", `/auth/v1/factors/${factorId}/verify`, { challenge_id: challenge.body.id, code });
}

/** Answers a challenge; returns the same person with the session that has passed the second factor. */
export async function passSecondFactor(
  app: TestApp,
  someone: Person,
  authenticator: Authenticator,
  code = authenticator.code(),
): Promise<Person> {
  const { status, body } = await answerChallenge(someone, authenticator.factorId, code);
  if (status !== 200) throw new Error(`The code was answered with ${status}: ${JSON.stringify(body)}`);
  return withSession(app, someone, body);
}

/** Moves the last proof of someone's sessions out of the ten minutes for which it holds. */
export async function letProofExpire(app: TestApp, { id }: Person): Promise<void> {
  await app.sql("update sessions set proven_at = proven_at - interval '601 s', stepped_up_at = null where account_id = $1", [
    id,
  ]);
}

/** Turns the second factor on. The clock moves by a step, so that the next code is a new one. */
export async function turnOnSecondFactor(
  app: TestApp,
  someone: Person,
): Promise<{ person: Person; authenticator: Authenticator }> {
  const authenticator = await enroll(app, someone);
  const passed = await passSecondFactor(app, someone, authenticator);
  app.clock.advance(30);
  return { person: passed, authenticator };
}
