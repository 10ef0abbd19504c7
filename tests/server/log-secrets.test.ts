import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { HostileRequest } from "../support/attacks/request.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { everyCall, inputWith, positionsOf, type ApiCall } from "../support/contract/calls.ts";
import { requestOf } from "../support/attacks/hostile.ts";
import { setUpWallets } from "../support/payments.ts";
import { admin, student, visitor, type Person } from "../support/people.ts";

const mark = "MARKEDSECRET";
/** As it is, or inside the base64 of a tus header. */
const marks = [mark, ...["", "x", "xx"].map((before) => btoa(before + mark).slice(before.length === 0 ? 0 : 4, 16))];

/** What stands beside the contract and the auth protocol. */
const otherPaths = [
  "/",
  "/auth",
  "/student/receipts/MARKEDSECRET",
  "/assets/MARKEDSECRET.js",
  "/MARKEDSECRET",
  "/%MARKEDSECRET",
  "/healthz",
  "/readyz",
  "/metrics",
  "/mailbox",
  "/mailbox.css",
  "/mailbox.json",
  "/mailbox/mails/MARKEDSECRET",
  "/api/events",
  "/api/openapi.json",
  "/api/MARKEDSECRET",
  "/auth/v1/MARKEDSECRET",
  "/functions/v1/MARKEDSECRET",
  "/storage/v1/object/sign/course-videos/MARKEDSECRET",
  "/storage/v1/object/payment-screenshots",
  "/storage/v1/upload/resumable",
  "/storage/v1/upload/resumable/MARKEDSECRET",
];

const query = ["token", "code", "recovery", "grant_type", "to", "redirect_to", mark].map((name) => `${name}=${mark}`).join("&");
const headers = Object.fromEntries(
  [
    "apikey",
    "authorization",
    "cookie",
    "forwarded",
    "idempotency-key",
    "if-none-match",
    "last-event-id",
    "origin",
    "range",
    "referer",
    "tus-resumable",
    "upload-length",
    "user-agent",
    "x-client-info",
    "x-data-age",
    "x-forwarded-for",
    "x-request-id",
  ].map((name) => [name, mark]),
);
const metadata = {
  "tus-resumable": "1.0.0",
  "upload-length": "9",
  "upload-metadata": `filename ${btoa(mark)},${mark} ${btoa(mark)}`,
};

let app: TestApp;
let people: Person[];
const lines: string[] = [];
beforeAll(async () => {
  for (const method of ["log", "warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((...logged) => void lines.push(logged.join(" ")));
  }
  const logStream = { write: (line: string) => void lines.push(line) };
  app = await startApp({ environment: { LOG_LEVEL: "trace" }, parts: { logStream } });
  const operator = await admin(app);
  await setUpWallets(operator);
  people = [visitor(app), await student(app), operator];
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app?.close();
});

const withQuery = (url: string, more: string): string => url + (url.includes("?") ? "&" : "?") + more;

/** A call with the mark in each of its places, one place at a time. */
function markedCalls(call: ApiCall): HostileRequest[] {
  const plain = requestOf(call, call.input);
  const inside = positionsOf(call).map((position) => {
    const value = position.at(-1) === "email" ? `${mark}@example.com` : position.at(-1) === "full_name" ? `Ann ${mark}` : mark;
    return requestOf(call, inputWith(call, position, value));
  });
  return [...inside, ...markedAround(plain)];
}

function markedAround(plain: HostileRequest): HostileRequest[] {
  const json = { ...plain.headers, "content-type": "application/json" };
  return [
    { ...plain, url: withQuery(plain.url, query) },
    { ...plain, url: withQuery(plain.url, `%zz=${mark}`) },
    { ...plain, url: `${plain.url.split("?")[0]}/${mark}` },
    { ...plain, headers: { ...plain.headers, ...headers } },
    { ...plain, headers: { ...plain.headers, ...metadata } },
    { ...plain, headers: json, payload: `{"${mark}` },
    { ...plain, headers: json, payload: JSON.stringify({ [mark]: mark, password: mark, code: mark }) },
    { ...plain, headers: { ...plain.headers, "content-type": `text/${mark}` }, payload: mark },
    { ...plain, headers: { ...plain.headers, "content-type": `multipart/form-data; boundary=${mark}` }, payload: `--${mark}` },
  ];
}

function everyMarkedRequest(): HostileRequest[] {
  const others = otherPaths.flatMap((url) =>
    (["GET", "HEAD", "POST", "PATCH", "DELETE"] as const).flatMap((method) => markedAround({ method, url })),
  );
  // The event stream does not end by itself.
  return [...everyCall().flatMap(markedCalls), ...others].filter(
    ({ url, method }) => method !== "GET" || !url.startsWith("/api/events"),
  );
}

async function sendAll(requests: HostileRequest[]): Promise<void> {
  for (const [index, request] of requests.entries()) {
    // Ending the session would leave the rest of the requests without one.
    const person = request.url.includes("/logout") ? people[0]! : people[index % people.length]!;
    const session = person.accessToken === undefined ? {} : { authorization: `Bearer ${person.accessToken}` };
    await app.server.inject({ ...request, headers: { ...session, ...request.headers } });
  }
}

// RUN-5.
it("logs no secret of a query, path, header or body, whatever the route", async () => {
  const requests = everyMarkedRequest();
  expect(requests.length).toBeGreaterThan(1000);
  await sendAll(requests);
  expect(lines.length).toBeGreaterThan(requests.length);
  expect(lines.filter((line) => marks.some((each) => line.toLowerCase().includes(each.toLowerCase())))).toEqual([]);
  expect(lines.join("")).toContain('"url":"/api/videos/…?…"');
});

// RUN-5.
it("logs no secret of a request that fails in the database", async () => {
  const from = lines.length;
  await app.sql("alter table accounts rename to accounts_away; alter table coupon_codes rename to coupons_away");
  await sendAll(everyMarkedRequest().filter((_, index) => index % 3 === 0));
  await app.sql("alter table accounts_away rename to accounts; alter table coupons_away rename to coupon_codes");
  const failed = lines.slice(from);
  expect(failed.join("")).toContain("Failed query");
  expect(failed.filter((line) => marks.some((each) => line.toLowerCase().includes(each.toLowerCase())))).toEqual([]);
});
