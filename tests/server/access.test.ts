import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "#domain/api/contract";
import { startApp, type TestApp } from "../support/app.ts";
import { pay, setUpWallets, tinyPng } from "../support/payments.ts";
import { admin, student, unverifiedStudent, visitor, type Person } from "../support/people.ts";

type Caller = "nobody" | "unverified" | "unpaid" | "other" | "admin";
const callers: Caller[] = ["nobody", "unverified", "unpaid", "other", "admin"];

interface Row {
  call: string;
  path?: () => string;
  body?: () => unknown;
  headers?: Record<string, string>;
  /** What nobody, an unverified student, an unpaid student, another student and the admin get. */
  gets: [number, number, number, number, number];
}

let app: TestApp;
let people: Record<Caller, Person>;
let paymentRequestId: string;
let approvedRequestId: string;
let lockedVideoId: string;
let victimId: string;
const unknownId = randomUUID();

const tusHeaders = (bucketName: string, filetype: string) => ({
  "tus-resumable": "1.0.0",
  "upload-length": "67",
  "upload-metadata": `bucketName ${btoa(bucketName)},filename ${btoa("a.png")},filetype ${btoa(filetype)}`,
});

const screenshotForm = (): FormData => {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(tinyPng)], { type: "image/png" }), "paid.png");
  return form;
};

const video = {
  title: "T",
  description: "D",
  module: "M",
  order_index: 1,
  package_type: "both",
  video_url: "https://films.example/x",
};

const rows: Row[] = [
  { call: "GET /api/me", gets: [401, 200, 200, 200, 200] },
  { call: "GET /auth/v1/user", gets: [401, 200, 200, 200, 200] },
  { call: "PUT /auth/v1/user", body: () => ({ password: "short" }), gets: [401, 422, 422, 422, 422] },
  { call: "POST /functions/v1/send-verification-email", body: () => ({}), gets: [401, 200, 409, 409, 409] },
  { call: "POST /functions/v1/verify-email", body: () => ({ code: "000000" }), gets: [401, 400, 409, 409, 409] },
  { call: "GET /functions/v1/admin-users", gets: [401, 403, 403, 403, 200] },
  {
    call: "PUT /functions/v1/admin-users",
    body: () => ({ userId: victimId, newRole: "starter" }),
    gets: [401, 403, 403, 403, 200],
  },
  {
    call: "DELETE /functions/v1/admin-users",
    path: () => `/functions/v1/admin-users?userId=${unknownId}`,
    gets: [401, 403, 403, 403, 404],
  },
  { call: "GET /api/videos", gets: [401, 403, 200, 200, 200] },
  { call: "POST /api/videos", body: () => video, gets: [401, 403, 403, 403, 201] },
  {
    call: "PATCH /api/videos/{id}",
    path: () => `/api/videos/${lockedVideoId}`,
    body: () => ({ order_index: 2 }),
    gets: [401, 403, 403, 403, 200],
  },
  { call: "DELETE /api/videos/{id}", path: () => `/api/videos/${unknownId}`, gets: [401, 403, 403, 403, 404] },
  { call: "POST /api/videos/{id}/play", path: () => `/api/videos/${lockedVideoId}/play`, gets: [401, 403, 403, 403, 200] },
  { call: "GET /api/wallet-settings", gets: [401, 403, 403, 403, 200] },
  { call: "PUT /api/wallet-settings", body: () => ({}), gets: [401, 403, 403, 403, 400] },
  { call: "GET /api/crypto-price/{coin}", path: () => "/api/crypto-price/bitcoin", gets: [401, 403, 403, 403, 200] },
  { call: "POST /api/quotes", body: () => ({ package_type: "starter" }), gets: [401, 403, 201, 201, 403] },
  { call: "GET /api/upgrade-offer", gets: [401, 403, 200, 200, 403] },
  { call: "GET /api/approval-time", gets: [401, 403, 200, 200, 200] },
  {
    call: "GET /api/payment-requests/{id}/receipt",
    path: () => `/api/payment-requests/${approvedRequestId}/receipt`,
    gets: [401, 403, 200, 404, 200],
  },
  { call: "POST /api/payment-requests", body: () => ({}), gets: [401, 403, 400, 400, 403] },
  { call: "GET /api/payment-requests", gets: [401, 403, 403, 403, 200] },
  { call: "GET /api/payment-requests/mine", gets: [401, 403, 200, 200, 200] },
  {
    call: "GET /api/payment-requests/{id}/screenshot",
    path: () => `/api/payment-requests/${paymentRequestId}/screenshot`,
    gets: [401, 403, 200, 404, 200],
  },
  {
    call: "POST /api/payment-requests/{id}/approve",
    path: () => `/api/payment-requests/${unknownId}/approve`,
    gets: [401, 403, 403, 403, 404],
  },
  {
    call: "POST /api/payment-requests/{id}/reject",
    path: () => `/api/payment-requests/${unknownId}/reject`,
    body: () => ({ reason: "No" }),
    gets: [401, 403, 403, 403, 404],
  },
  { call: "GET /api/mail-failures", gets: [401, 403, 403, 403, 200] },
  {
    call: "POST /api/mail-failures/{id}/send-again",
    path: () => "/api/mail-failures/999999/send-again",
    gets: [401, 403, 403, 403, 404],
  },
  { call: "DELETE /api/mail-failures/{id}", path: () => "/api/mail-failures/999999", gets: [401, 403, 403, 403, 404] },
  { call: "GET /api/coupons", gets: [401, 403, 403, 403, 200] },
  { call: "POST /api/coupons", body: () => ({}), gets: [401, 403, 403, 403, 400] },
  {
    call: "PATCH /api/coupons/{code}",
    path: () => "/api/coupons/NONE",
    body: () => ({ active: true }),
    gets: [401, 403, 403, 403, 404],
  },
  { call: "DELETE /api/coupons/{code}", path: () => "/api/coupons/NONE", gets: [401, 403, 403, 403, 404] },
  {
    call: "POST /storage/v1/upload/resumable",
    headers: tusHeaders("payment-screenshots", "image/png"),
    gets: [401, 403, 201, 201, 403],
  },
  {
    call: "POST /storage/v1/upload/resumable",
    headers: tusHeaders("course-videos", "video/mp4"),
    gets: [401, 403, 403, 403, 201],
  },
  { call: "POST /storage/v1/object/payment-screenshots", body: screenshotForm, gets: [401, 403, 201, 201, 403] },
  {
    call: "GET /storage/v1/object/sign/{bucket}/{name}",
    path: () => "/storage/v1/object/sign/course-videos/any?token=any",
    gets: [403, 403, 403, 403, 403],
  },
];

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
});
afterAll(() => app?.close());

describe("who may call what", () => {
  for (const row of rows) {
    const [method = "", route = ""] = row.call.split(" ");
    for (const [index, caller] of callers.entries()) {
      it(`${row.call} answers ${caller} with ${row.gets[index]}`, async () => {
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

  it("leaves no route of the contract out of this table", () => {
    const covered = new Set(rows.map((row) => row.call));
    for (const part of Object.values(contract)) {
      for (const procedure of Object.values(part)) {
        const { method, path } = procedure["~orpc"].route;
        expect(covered).toContain(`${method} ${path}`);
      }
    }
  });

  it("answers a forged, a foreign and a garbled token alike", async () => {
    const [head, body] = (people.admin.accessToken ?? "").split(".");
    const unsigned = `${btoa('{"alg":"none","typ":"JWT"}').replace(/=/g, "")}.${body}.`;
    for (const token of ["garbage", `${head}.${body}.AAAA`, unsigned, "", "null"]) {
      const answer = await people.nobody.call("GET", "/api/me", undefined, { authorization: `Bearer ${token}` });
      expect(answer.status).toBe(401);
    }
  });
});
