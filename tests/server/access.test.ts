import type { AnyContractProcedure } from "@orpc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract, type Contract } from "#domain/api/contract";
import { pages } from "#server/platform/http/pages/web-app";
import { protocolRows, type Row } from "../support/contract/access-rows.ts";
import { contractRows, video, type Known } from "../support/contract/contract-rows.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { attach } from "../support/course/materials.ts";
import { pay, setUpWallets } from "../support/payments.ts";
import { admin, outcome, signIn, student, unverifiedStudent, visitor, type Person } from "../support/people.ts";
import { registeredRoutes } from "../support/contract/registered-routes.ts";
import { turnOnSecondFactor } from "../support/second-factor.ts";

type Caller = "nobody" | "unverified" | "unpaid" | "other" | "admin";
const callers: Caller[] = ["nobody", "unverified", "unpaid", "other", "admin"];

let app: TestApp;
let people: Record<Caller, Person>;
const known = {} as Known;

/** Method and path, as in the contract. */
const routeOf = (procedure: AnyContractProcedure): string => {
  const { method, path } = procedure["~orpc"].route;
  return `${method} ${path}`;
};

const ofContract = contractRows(known);
const rows: (Row & { call: string })[] = [
  ...Object.entries(contract).flatMap(([part, procedures]) => {
    const partRows: Record<string, Row> = ofContract[part as keyof Contract];
    return Object.entries(procedures).map(([name, procedure]) => ({ call: routeOf(procedure), ...partRows[name]! }));
  }),
  ...protocolRows,
];

/** A link says by itself who may open it. */
const isLink = (call: string): boolean => /\/object\/sign\/|\.ics$|^\/api\/undo/.test(call);
const linkCode = (call: string): string => (call.startsWith("/api/undo") ? "undo_link_invalid" : "link_invalid");

beforeAll(async () => {
  app = await startApp();
  people = {
    nobody: visitor(app),
    unverified: await unverifiedStudent(app),
    unpaid: await student(app),
    other: await student(app),
    admin: await admin(app),
  };
  known.victimId = (await student(app)).id;
  await setUpWallets(people.admin);
  known.approvedRequestId = (await pay(people.unpaid)).body.id;
  await people.admin.call("POST", `/api/payment-requests/${known.approvedRequestId}/approve`);
  await people.admin.call("PUT", "/functions/v1/admin-users", { userId: people.unpaid.id, newRole: "unpaid" });
  known.paymentRequestId = (await pay(people.unpaid)).body.id;
  const locked = await people.admin.call("POST", "/api/videos", { ...video, package_type: "advanced" });
  known.lockedVideoId = locked.body.id;
  known.attachmentId = (await attach(app, people.admin, known.lockedVideoId)).id;
});
afterAll(() => app?.close());

describe("who may call what", () => {
  for (const row of rows) {
    const [method = "", route = ""] = row.call.split(" ");
    for (const [index, caller] of callers.entries()) {
      it(`${row.call} returns ${row.gets[index]} to ${caller}`, async () => {
        const path = row.path?.() ?? route;
        const answer = await people[caller].call(method, path, row.body?.(), row.headers ?? {});
        expect(answer.status, JSON.stringify(answer.body)).toBe(row.gets[index]);
        if (answer.status >= 400 && !path.startsWith("/auth/")) {
          expect(answer.body).toEqual({ error: expect.any(String), code: expect.any(String) });
        }
      });
    }
  }

  it("opens the event stream to verified callers alone", async () => {
    const gets = [401, 403, 200, 200, 200];
    for (const [index, caller] of callers.entries()) {
      const answer = await people[caller].call("HEAD", "/api/events");
      expect(answer.status).toBe(gets[index]);
      expect(answer.headers.get("content-type")).toContain(answer.status === 200 ? "text/event-stream" : "application/json");
    }
  });

  it("refuses forged, foreign and garbled tokens alike", async () => {
    const [head, body] = (people.admin.accessToken ?? "").split(".");
    const unsigned = `${btoa('{"alg":"none","typ":"JWT"}').replace(/=/g, "")}.${body}.`;
    for (const token of ["garbage", `${head}.${body}.AAAA`, unsigned, "", "null"]) {
      const answer = await people.nobody.call("GET", "/api/me", undefined, { authorization: `Bearer ${token}` });
      expect(answer.status).toBe(401);
    }
  });

  it("has a row for every route of the running app that is not open to anybody", () => {
    const open = /^\/(healthz|readyz|metrics|mailbox.*|\*)$/;
    const openAuth = /^\/auth\/v1\/(signup|token|recover|verify|resend|\.well-known\/jwks\.json)$/;
    // Behind the wildcards is the contract; streams and sign-out are tested below, an upload's own address with the uploads.
    const others = [
      /^\/api\/(\*|openapi\.json|docs|docs\.css|events)$/,
      /^\/functions\/v1\/\*$/,
      /\/resumable\/:id$/,
      /\/logout$/,
    ];
    const listed = new Set(rows.map(({ call }) => call.replace(/\{(\w+)\}/g, ":$1")));
    const openPages = new Set(pages.map(({ route }) => route));
    const missing = registeredRoutes(app).filter(
      ({ method, path }) =>
        ![open, openAuth, ...others].some((pattern) => pattern.test(path)) &&
        !openPages.has(path) &&
        !["HEAD", "OPTIONS"].includes(method) &&
        !listed.has(`${method} ${path}`),
    );
    expect(missing).toEqual([]);
  });

  describe("after the end of the session", () => {
    let gone: Person[];
    beforeAll(async () => {
      gone = [await student(app, "advanced"), await admin(app)];
      for (const person of gone) await person.call("POST", "/auth/v1/logout?scope=local");
    });

    for (const row of rows) {
      const [method = "", route = ""] = row.call.split(" ");
      it(`${row.call} refuses the token of a student and of the admin`, async () => {
        const path = row.path?.() ?? route;
        const code = isLink(route) ? linkCode(route) : path.startsWith("/auth/") ? "session_not_found" : "not_signed_in";
        for (const person of gone) {
          const answer = await person.call(method, path, row.body?.(), row.headers ?? {});
          expect(outcome(answer)).toEqual([isLink(route) ? 403 : 401, code]);
        }
      });
    }

    it("refuses event streams to ended sessions", async () => {
      for (const person of gone) expect((await person.call("HEAD", "/api/events")).status).toBe(401);
    });
  });

  describe("before the code of the second factor", () => {
    /** The calls that lead to it. */
    const isOpen = (call: string): boolean => call === "GET /auth/v1/user" || call.includes("/auth/v1/factors");
    let halfSignedIn: Person[];
    beforeAll(async () => {
      const someone = await student(app, "advanced");
      for (const person of [someone, await admin(app)]) await turnOnSecondFactor(app, person);
      halfSignedIn = [await signIn(app, someone.email, someone.password), await admin(app)];
    });

    for (const row of rows.filter(({ call }) => !isOpen(call))) {
      const [method = "", route = ""] = row.call.split(" ");
      it(`${row.call} refuses an aal1 token of the admin and of a student`, async () => {
        const path = row.path?.() ?? route;
        const code = isLink(route) ? linkCode(route) : path.startsWith("/auth/") ? "insufficient_aal" : "second_factor_needed";
        for (const person of halfSignedIn) {
          expect(outcome(await person.call(method, path, row.body?.(), row.headers ?? {}))).toEqual([403, code]);
        }
      });
    }

    it("refuses an aal1 token event streams, but not its own user or sign-out", async () => {
      for (const person of halfSignedIn) {
        expect((await person.call("HEAD", "/api/events")).status).toBe(403);
        expect((await person.call("GET", "/auth/v1/user")).status).toBe(200);
        expect((await person.call("POST", "/auth/v1/logout?scope=local")).status).toBe(204);
      }
    });
  });
});
