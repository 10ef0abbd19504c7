import { randomInt } from "node:crypto";
import fc from "fast-check";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HostileRequest } from "../support/attacks/request.ts";
import { attackedRoutes, type AttackedRoute } from "../support/attacks/routes.ts";
import { trick } from "../support/attacks/tricks.ts";
import { calls, startAttackedSite, type AttackedSite, type RowsNow } from "../support/attacks/hostile.ts";
import { pay } from "../support/payments.ts";
import { sessionIdOf, signIn, student, unverifiedStudent, visitor, type Person } from "../support/people.ts";
import { registeredRoutes } from "../support/contract/registered-routes.ts";
import { turnOnSecondFactor } from "../support/second-factor.ts";
import { mp4Of, uploader } from "../support/uploads.ts";

/** Printed when a property fails, with the path of its counterexample: HOSTILE_SEED repeats the run. */
const seed = Number(process.env["HOSTILE_SEED"] ?? randomInt(2 ** 31));
const fewest = 20_000;

type Caller = "nobody" | "forged" | "unverified" | "aal1" | "student" | "advanced" | "admin";

let site: AttackedSite;
let people: Record<Caller, Pick<Person, "accessToken">>;
let routes: AttackedRoute[];
let revive: () => Promise<unknown>;

beforeAll(async () => {
  site = await startAttackedSite();
  const { app, operator, buyer } = site;
  const advanced = await student(app, "advanced");
  const careful = await student(app);
  await turnOnSecondFactor(app, careful);
  const aal1 = await signIn(app, careful.email, careful.password);
  const unverified = await unverifiedStudent(app);
  people = { nobody: visitor(app), forged: await forged(buyer), unverified, aal1, student: buyer, advanced, admin: operator };

  const objectId = await uploader(app, operator).upload("course-videos", mp4Of(5000), "lesson.mp4");
  const lesson = { title: "T", description: "D", module: "M", order_index: 1, package_type: "advanced", upload_id: objectId };
  const video = await operator.call("POST", "/api/videos", lesson);
  const film = await operator.call("POST", `/api/videos/${video.body.id}/play`);
  const unfinished = await uploader(app, buyer).start("payment-screenshots", 67);
  const known = [video.body.id, (await pay(advanced)).body.id, (await student(app)).id, objectId, sessionIdOf(buyer), "LUNCH"];
  routes = attackedRoutes({
    values: [...known, buyer.email, buyer.password],
    filmLink: film.body.url.slice(app.url.length),
    uploadId: unfinished.headers.get("location")!.split("/").at(-1)!,
  });
  const sessionIds = [unverified, aal1, buyer, advanced, operator].map(sessionIdOf);
  revive = async () => {
    await app.sql("update sessions set revoked_at = null where id = any($1) and revoked_at is not null", [sessionIds]);
    rowsLeft = undefined;
  };
});
afterAll(() => site?.close());

/** A token with a student's claims and a signature that is not ours. */
async function forged(someone: Person): Promise<Pick<Person, "accessToken">> {
  const claims = { session_id: sessionIdOf(someone), role: "authenticated", aal: "aal2" };
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(someone.id)
    .setExpirationTime("1h");
  return { accessToken: await token.sign(new TextEncoder().encode("a".repeat(32))) };
}

/** What a refused call may change: tries are counted (VERIFY-2, FACTOR-3, OWN-3), and a stolen refresh token ends its session (SESSION-3). */
const countedTries = new Set(["UPDATE verification_codes", "UPDATE mfa_challenges", "UPDATE email_changes"]);

/** Reading these is recorded in the audit log (EXPORT-1). */
const isRecorded = ({ path }: AttackedRoute, status: number): boolean => path.startsWith("/api/export/") && status < 400;

/** The rows after the last request, which nothing but requests changes; undefined before the first one and when the test changed some. */
let rowsLeft: RowsNow | undefined;

/** Sends a request and checks what it may have changed: nothing when it is refused or only reads. */
async function attack(caller: Caller, route: AttackedRoute, request: HostileRequest): Promise<void> {
  const before = rowsLeft ?? (await site.rowsNow());
  const status = await site.send(request, people[caller]);
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(request.method);
  const mayPass = route.isOpen || !["nobody", "forged"].includes(caller) || isRead;
  const after = await site.rowsNow();
  rowsLeft = after;
  if (!mayPass) expect(status).toBeGreaterThanOrEqual(400);
  if (isRecorded(route, status)) {
    expect([before?.change, "INSERT audit_log"]).toContain(after?.change);
  } else if (status >= 400 || isRead) {
    if (!countedTries.has(after?.change ?? "")) expect(after, JSON.stringify({ before, after, status })).toEqual(before);
  } else if (after?.change.endsWith(" sessions")) await revive();
}

/** Calls that hash a password for every valid input. */
const isSlow = (path: string): boolean => /\/(signup|token|user|step-up)$/.test(path);

describe("generated hostile requests", { timeout: 1_200_000 }, () => {
  it("generates hostile requests for every route of the running app", () => {
    const attacked = new Set(routes.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`));
    const isAttacked = ({ method, path }: { method: string; path: string }): boolean =>
      attacked.has(`${method} ${path}`) || (method === "HEAD" && attacked.has(`GET ${path}`));
    // Behind these two is the contract, whose calls are listed by themselves.
    const missing = registeredRoutes(site.app).filter(
      (route) => !/^\/(api|functions\/v1)\/\*$/.test(route.path) && !isAttacked(route),
    );
    expect(missing).toEqual([]);
    expect(routes.length).toBeGreaterThan(calls.length + 20);
  });

  it("gets no 5xx, no hang and no row changed by a refused call", async () => {
    const quick = routes.filter(({ path }) => !isSlow(path));
    const slowRuns = 60;
    const quickRuns = Math.ceil((fewest - slowRuns * (routes.length - quick.length)) / quick.length);
    const callers = fc.constantFrom(...(Object.keys(people) as Caller[]));
    const failures: string[] = [];
    for (const route of routes) {
      const property = fc.asyncProperty(callers, route.requests, trick, (caller, request, [, change]) =>
        attack(caller, route, change(request)),
      );
      const numRuns = isSlow(route.path) ? slowRuns : quickRuns;
      const report = await fc.check(property, { seed, numRuns, endOnFailure: true });
      if (report.failed)
        failures.push(`${route.method} ${route.path}: ${String(report.errorInstance)} ${fc.defaultReportMessage(report)}`);
      await revive();
    }
    expect(failures, `HOSTILE_SEED=${seed}`).toEqual([]);
  });

  it("generates at least 20,000 requests", () => {
    console.log(`${site.sent()} hostile requests were sent, HOSTILE_SEED=${seed}`);
    expect(site.sent()).toBeGreaterThanOrEqual(fewest);
  });
});
