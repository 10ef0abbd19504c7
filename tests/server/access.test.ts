// Over 250 lines: one table of every call, with what each caller gets.
import type { AnyContractProcedure } from "@orpc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract, type Contract } from "#domain/api/contract";
import { pages } from "#server/platform/http/pages/web-app";
import { protocolRows, unknownId, type Row } from "../support/contract/access-rows.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { attach, captionsForm, posterForm, webVtt } from "../support/course/materials.ts";
import { pay, setUpWallets } from "../support/payments.ts";
import { admin, outcome, signIn, student, unverifiedStudent, visitor, type Person } from "../support/people.ts";
import { registeredRoutes } from "../support/contract/registered-routes.ts";
import { turnOnSecondFactor } from "../support/second-factor.ts";

type Caller = "nobody" | "unverified" | "unpaid" | "other" | "admin";
const callers: Caller[] = ["nobody", "unverified", "unpaid", "other", "admin"];

let app: TestApp;
let people: Record<Caller, Person>;
let paymentRequestId: string;
let approvedRequestId: string;
let lockedVideoId: string;
let attachmentId: string;
let victimId: string;

const captionForm = (): FormData => captionsForm(webVtt);

const film = "https://films.example/x";
const video = { title: "T", description: "D", module: "M", order_index: 1, package_type: "both", video_url: film };

/** Every call of the contract: one without a row does not compile. */
const contractRows: { [Part in keyof Contract]: { [Name in keyof Contract[Part]]: Row } } = {
  account: {
    me: { gets: [401, 200, 200, 200, 200] },
    sessions: { gets: [401, 200, 200, 200, 200] },
    endSession: { path: () => `/api/sessions/${unknownId}`, gets: [401, 404, 404, 404, 404] },
    endOtherSessions: { gets: [401, 200, 200, 200, 200] },
    stepUp: { body: () => ({ current_password: "wrong" }), gets: [401, 403, 403, 403, 403] },
    sendVerificationEmail: { body: () => ({}), gets: [401, 200, 409, 409, 409] },
    verifyEmail: { body: () => ({ code: "000000" }), gets: [401, 400, 409, 409, 409] },
  },
  users: {
    list: { gets: [401, 403, 403, 403, 200] },
    search: { gets: [401, 403, 403, 403, 200] },
    setTier: { body: () => ({ userId: victimId, newRole: "starter" }), gets: [401, 403, 403, 403, 200] },
    remove: { path: () => `/functions/v1/admin-users?userId=${unknownId}`, gets: [401, 403, 403, 403, 404] },
    removeSecondFactor: {
      path: () => `/functions/v1/admin-users/second-factor?userId=${unknownId}`,
      gets: [401, 403, 403, 403, 404],
    },
    get: { path: () => `/api/users/${victimId}`, gets: [401, 403, 403, 403, 200] },
    audit: { path: () => `/api/users/${victimId}/audit`, gets: [401, 403, 403, 403, 200] },
    endSession: { path: () => `/api/users/${victimId}/sessions/${unknownId}`, gets: [401, 403, 403, 403, 404] },
    endSessions: { path: () => `/api/users/${unknownId}/sessions`, gets: [401, 403, 403, 403, 404] },
    grant: {
      path: () => `/api/users/${unknownId}/grant`,
      body: () => ({ package_type: "starter", reason: "Gift" }),
      gets: [401, 403, 403, 403, 404],
    },
    addNote: {
      path: () => `/api/users/${victimId}/notes`,
      body: () => ({ text: "Called" }),
      gets: [401, 403, 403, 403, 201],
    },
    updateNote: {
      path: () => `/api/users/${victimId}/notes/${unknownId}`,
      body: () => ({ text: "Called" }),
      gets: [401, 403, 403, 403, 404],
    },
    removeNote: { path: () => `/api/users/${victimId}/notes/${unknownId}`, gets: [401, 403, 403, 403, 404] },
  },
  videos: {
    list: { gets: [401, 403, 200, 200, 200] },
    create: { body: () => video, gets: [401, 403, 403, 403, 201] },
    update: {
      path: () => `/api/videos/${lockedVideoId}`,
      body: () => ({ order_index: 2 }),
      gets: [401, 403, 403, 403, 200],
    },
    remove: { path: () => `/api/videos/${unknownId}`, gets: [401, 403, 403, 403, 404] },
    updateSelected: {
      body: () => ({ ids: [lockedVideoId], changes: { package_type: "advanced" } }),
      gets: [401, 403, 403, 403, 200],
    },
    removeSelected: { body: () => ({ ids: [unknownId] }), gets: [401, 403, 403, 403, 404] },
    play: { path: () => `/api/videos/${lockedVideoId}/play`, gets: [401, 403, 403, 403, 200] },
    saveProgress: {
      path: () => `/api/videos/${lockedVideoId}/progress`,
      body: () => ({ position_seconds: 1, duration_seconds: 60 }),
      gets: [401, 403, 403, 403, 200],
    },
  },
  statistics: {
    videos: { gets: [401, 403, 403, 403, 200] },
    notBegun: { gets: [401, 403, 403, 403, 200] },
  },
  modules: {
    order: { body: () => ({ modules: ["Unknown"] }), gets: [401, 403, 403, 403, 409] },
    orderVideos: {
      path: () => "/api/modules/Unknown/videos",
      body: () => ({ ids: [unknownId] }),
      gets: [401, 403, 403, 403, 409],
    },
    rename: { path: () => "/api/modules/Unknown", body: () => ({ name: "M" }), gets: [401, 403, 403, 403, 404] },
  },
  materials: {
    saveCaptions: { path: () => `/api/videos/${lockedVideoId}/captions`, body: captionForm, gets: [401, 403, 403, 403, 201] },
    removeCaptions: { path: () => `/api/videos/${lockedVideoId}/captions/th`, gets: [401, 403, 403, 403, 404] },
    addAttachment: {
      path: () => `/api/videos/${lockedVideoId}/attachments`,
      body: () => ({ upload_id: unknownId }),
      gets: [401, 403, 403, 403, 404],
    },
    removeAttachment: {
      path: () => `/api/videos/${lockedVideoId}/attachments/${unknownId}`,
      gets: [401, 403, 403, 403, 404],
    },
    openAttachment: {
      path: () => `/api/videos/${lockedVideoId}/attachments/${attachmentId}/open`,
      gets: [401, 403, 403, 403, 200],
    },
    savePoster: { path: () => `/api/videos/${lockedVideoId}/poster`, body: posterForm, gets: [401, 403, 403, 403, 200] },
    removePoster: { path: () => `/api/videos/${unknownId}/poster`, gets: [401, 403, 403, 403, 404] },
  },
  environment: { list: { gets: [401, 403, 403, 403, 200] } },
  testMail: {
    send: { body: () => ({ to: "admin" }), gets: [401, 403, 403, 403, 201] },
    read: { path: () => "/api/test-mail/1000000", gets: [401, 403, 403, 403, 404] },
  },
  coupons: {
    list: { gets: [401, 403, 403, 403, 200] },
    create: { body: () => ({}), gets: [401, 403, 403, 403, 400] },
    update: { path: () => "/api/coupons/NONE", body: () => ({ active: true }), gets: [401, 403, 403, 403, 404] },
    remove: { path: () => "/api/coupons/NONE", gets: [401, 403, 403, 403, 404] },
  },
  walletSettings: {
    get: { gets: [401, 403, 403, 403, 200] },
    put: { body: () => ({}), gets: [401, 403, 403, 403, 400] },
    cryptoPrice: { path: () => "/api/crypto-price/bitcoin", gets: [401, 403, 403, 403, 200] },
  },
  coinPrices: {
    list: { gets: [401, 403, 403, 403, 200] },
    fetch: { gets: [401, 403, 403, 403, 200] },
    set: { path: () => "/api/coin-prices/bitcoin", body: () => ({}), gets: [401, 403, 403, 403, 400] },
    setBounds: { path: () => "/api/coin-prices/bitcoin/bounds", body: () => ({}), gets: [401, 403, 403, 403, 200] },
  },
  guard: {
    changes: { gets: [401, 403, 403, 403, 200] },
    openQuotes: { gets: [401, 403, 403, 403, 200] },
    voidQuotes: { gets: [401, 403, 403, 403, 200] },
    previewUndo: { body: () => ({ token: "none" }), gets: [403, 403, 403, 403, 403] },
    undo: { body: () => ({ token: "none" }), gets: [403, 403, 403, 403, 403] },
  },
  quotes: {
    state: { path: () => `/api/quotes/${unknownId}`, gets: [401, 403, 404, 404, 403] },
    create: { body: () => ({ package_type: "starter" }), gets: [401, 403, 409, 201, 403] },
    launchOffer: { gets: [401, 403, 200, 200, 403] },
    upgradeOffer: { gets: [401, 403, 200, 200, 403] },
  },
  paymentRequests: {
    submit: { body: () => ({}), gets: [401, 403, 400, 400, 403] },
    resubmit: { path: () => `/api/payment-requests/${unknownId}/resubmit`, gets: [401, 403, 400, 400, 403] },
    list: { gets: [401, 403, 403, 403, 200] },
    counts: { gets: [401, 403, 403, 403, 200] },
    mine: { gets: [401, 403, 200, 200, 200] },
    get: { path: () => `/api/payment-requests/${paymentRequestId}`, gets: [401, 403, 403, 403, 200] },
    check: { path: () => `/api/payment-requests/${paymentRequestId}/check`, gets: [401, 403, 403, 403, 200] },
    approve: { path: () => `/api/payment-requests/${unknownId}/approve`, gets: [401, 403, 403, 403, 404] },
    reject: {
      path: () => `/api/payment-requests/${unknownId}/reject`,
      body: () => ({ reason: "No" }),
      gets: [401, 403, 403, 403, 404],
    },
    reopen: {
      path: () => `/api/payment-requests/${unknownId}/reopen`,
      body: () => ({ reason: "No" }),
      gets: [401, 403, 403, 403, 404],
    },
    askRest: {
      path: () => `/api/payment-requests/${unknownId}/ask-rest`,
      body: () => ({ amount_received: "1" }),
      gets: [401, 403, 403, 403, 404],
    },
    payRest: {
      path: () => `/api/payment-requests/${unknownId}/rest`,
      body: () => ({ upload_id: unknownId }),
      gets: [401, 403, 400, 400, 403],
    },
    screenshot: { path: () => `/api/payment-requests/${paymentRequestId}/screenshot`, gets: [401, 403, 200, 404, 200] },
    receipt: { path: () => `/api/payment-requests/${approvedRequestId}/receipt`, gets: [401, 403, 200, 404, 200] },
    seeApproval: { path: () => `/api/payment-requests/${approvedRequestId}/seen`, gets: [401, 403, 200, 404, 403] },
    approvalTime: { gets: [401, 403, 200, 200, 200] },
  },
  rejectionReasons: {
    get: { gets: [401, 403, 403, 403, 200] },
    put: { body: () => ({ reasons: ["No payment."] }), gets: [401, 403, 403, 403, 200] },
  },
  liveSessions: {
    list: { gets: [401, 403, 200, 200, 200] },
    create: { body: () => ({}), gets: [401, 403, 403, 403, 400] },
    update: {
      path: () => `/api/live-sessions/${unknownId}`,
      body: () => ({ title: "T" }),
      gets: [401, 403, 403, 403, 404],
    },
    remove: { path: () => `/api/live-sessions/${unknownId}`, gets: [401, 403, 403, 403, 404] },
    occurrences: { gets: [401, 403, 200, 200, 200] },
    changeOccurrence: {
      path: () => `/api/live-sessions/occurrences/${unknownId}`,
      body: () => ({ cancelled: true }),
      gets: [401, 403, 403, 403, 404],
    },
    join: { path: () => `/api/live-sessions/occurrences/${unknownId}/join`, gets: [401, 403, 403, 403, 404] },
    calendarLink: { gets: [401, 403, 403, 403, 200] },
    renewCalendarLink: { gets: [401, 403, 403, 403, 200] },
  },
  overview: {
    stats: { gets: [401, 403, 403, 403, 200] },
    setup: { gets: [401, 403, 403, 403, 200] },
    closeSetup: { gets: [401, 403, 403, 403, 200] },
    sampleCourse: { gets: [401, 403, 403, 403, 200] },
    removeSampleCourse: { gets: [401, 403, 403, 403, 200] },
  },
  mailFailures: {
    list: { gets: [401, 403, 403, 403, 200] },
    sendAgain: { path: () => "/api/mail-failures/999999/send-again", gets: [401, 403, 403, 403, 404] },
    dismiss: { path: () => "/api/mail-failures/999999", gets: [401, 403, 403, 403, 404] },
  },
  mailChoices: {
    get: { gets: [401, 403, 200, 200, 403] },
    put: { body: () => ({ news: true }), gets: [401, 403, 200, 200, 403] },
  },
  playback: { sharing: { gets: [401, 403, 403, 403, 200] } },
  news: {
    list: { gets: [401, 403, 200, 200, 200] },
    reach: { gets: [401, 403, 403, 403, 200] },
    publish: { body: () => ({}), gets: [401, 403, 403, 403, 400] },
    update: { path: () => `/api/news/${unknownId}`, body: () => ({ title: "T" }), gets: [401, 403, 403, 403, 404] },
    remove: { path: () => `/api/news/${unknownId}`, gets: [401, 403, 403, 403, 404] },
    see: { path: () => `/api/news/${unknownId}/seen`, gets: [401, 403, 404, 404, 403] },
  },
  audit: { list: { gets: [401, 403, 403, 403, 200] } },
  exports: { link: { path: () => "/api/export/users/link", body: () => ({ filters: {} }), gets: [401, 403, 403, 403, 200] } },
};

/** Method and path, as in the contract. */
const routeOf = (procedure: AnyContractProcedure): string => {
  const { method, path } = procedure["~orpc"].route;
  return `${method} ${path}`;
};

const rows: (Row & { call: string })[] = [
  ...Object.entries(contract).flatMap(([part, procedures]) => {
    const partRows: Record<string, Row> = contractRows[part as keyof Contract];
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
  victimId = (await student(app)).id;
  await setUpWallets(people.admin);
  approvedRequestId = (await pay(people.unpaid)).body.id;
  await people.admin.call("POST", `/api/payment-requests/${approvedRequestId}/approve`);
  await people.admin.call("PUT", "/functions/v1/admin-users", { userId: people.unpaid.id, newRole: "unpaid" });
  paymentRequestId = (await pay(people.unpaid)).body.id;
  const locked = await people.admin.call("POST", "/api/videos", { ...video, package_type: "advanced" });
  lockedVideoId = locked.body.id;
  attachmentId = (await attach(app, people.admin, lockedVideoId)).id;
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
        ![open, openAuth, ...others].some((known) => known.test(path)) &&
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
