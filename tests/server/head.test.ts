import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "#domain/api/contract";
import { startApp, type TestApp } from "../support/app.ts";
import { writeBuiltWeb } from "../support/contract/built-web.ts";
import { pay, setUpWallets } from "../support/payments.ts";
import { admin, student, visitor, type Person } from "../support/people.ts";
import { registeredRoutes } from "../support/contract/registered-routes.ts";

let app: TestApp;
let people: Person[];
let projectDir: string;
let paymentRequestId: string;
let quoteId: string;
let link: string;
let calendar: string;
let testMail: string;

beforeAll(async () => {
  projectDir = mkdtempSync(join(tmpdir(), "pipwright-head-"));
  writeBuiltWeb(projectDir);
  app = await startApp({ projectDir });
  const [operator, buyer] = [await admin(app), await student(app)];
  people = [visitor(app), operator, buyer];
  await setUpWallets(operator);
  paymentRequestId = (await pay(buyer)).body.id;
  await operator.call("POST", `/api/payment-requests/${paymentRequestId}/approve`);
  quoteId = (await buyer.call("POST", "/api/quotes", { package_type: "advanced" })).body.id;
  const answer = await buyer.call("GET", `/api/payment-requests/${paymentRequestId}/screenshot`);
  const { pathname, search } = new URL(answer.body.url);
  link = pathname + search;
  calendar = (await operator.call("GET", "/api/live-sessions/calendar-link")).body.url.slice(app.url.length);
  testMail = (await operator.call("POST", "/api/test-mail", { to: "admin" })).body.id;
});
afterAll(async () => {
  await app?.close();
  rmSync(projectDir, { recursive: true });
});

function contractPaths(): string[] {
  const routes = Object.values(contract).flatMap((part) => Object.values(part).map((procedure) => procedure["~orpc"].route));
  return routes.flatMap(({ method, path }) => (method === "GET" && path !== undefined ? [path] : []));
}

/** A path with parameters that exist. */
function filled(path: string): string {
  if (path.includes(":bucket")) return link;
  if (path.endsWith(".ics")) return calendar;
  if (path.startsWith("/api/quotes/")) return path.replace("{id}", quoteId);
  if (path.startsWith("/api/test-mail/")) return path.replace("{id}", testMail);
  if (path.startsWith("/mailbox/mails")) return "/mailbox/mails/1";
  if (path.startsWith("/api/users/")) return path.replace("{id}", people[2]!.id);
  return path.replace("{coin}", "bitcoin").replace(/\{id\}|:id/, paymentRequestId);
}

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Without the headers that differ from one reply to the next. */
async function ask(method: "GET" | "HEAD", path: string, { accessToken }: Person, signal?: AbortSignal): Promise<Reply> {
  const headers = new Headers({ accept: "text/html", cookie: `mailbox=${app.deps.mailboxToken}` });
  if (accessToken !== undefined) headers.set("authorization", `Bearer ${accessToken}`);
  const reply = await fetch(app.url + path, { method, headers, ...(signal ? { signal } : {}) });
  const kept = Object.fromEntries(reply.headers);
  for (const name of ["date", "connection", "keep-alive", "transfer-encoding"]) delete kept[name];
  return { status: reply.status, headers: kept, body: signal ? "" : await reply.text() };
}

describe("HEAD", () => {
  it("returns what GET returns, without a body, on every route and call", async () => {
    const registered = registeredRoutes(app)
      .filter(({ method, path }) => method === "GET" && !path.includes("*"))
      .map(({ path }) => path);
    for (const known of ["/", "/healthz", "/readyz", "/metrics", "/mailbox.json", "/api/openapi.json", "/auth/v1/user"]) {
      expect(registered).toContain(known);
    }
    const lost = ["/no/such/page", "/api/none", "/auth/v1/none", "/storage/v1/object/sign/course-videos/none?token=none"];
    const paths = [...registered, ...contractPaths(), ...lost, "/assets/chunk.js", "/assets/none.js"];
    const succeeded = new Set<string>();
    for (const path of paths.filter((each) => each !== "/api/events")) {
      for (const person of people) {
        const get = await ask("GET", filled(path), person);
        const head = await ask("HEAD", filled(path), person);
        if (get.status < 400) succeeded.add(path);
        // The metrics grow with each request.
        if (path === "/metrics") delete get.headers["content-length"];
        expect(head, path).toMatchObject({ status: get.status, headers: get.headers, body: "" });
      }
    }
    const failed = paths.filter((path) => !succeeded.has(path));
    expect(failed.toSorted()).toEqual([...lost, "/assets/none.js", "/api/events"].toSorted());
  });

  it("ends on the event stream like GET begins", async () => {
    for (const person of people) {
      const stop = new AbortController();
      const get = await ask("GET", "/api/events", person, stop.signal);
      stop.abort();
      expect(await ask("HEAD", "/api/events", person)).toMatchObject({ status: get.status, headers: get.headers, body: "" });
    }
  });
});
