import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "#domain/api/contract";
import { errors } from "#domain/errors/messages";
import { startApp, type TestApp } from "../support/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

/** `fetch` sets no Host header of ours, so this asks by node:http. */
function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

/** The status of `/readyz`, then each part that it says fails. */
async function readiness({ url }: TestApp): Promise<unknown[]> {
  const reply = await fetch(`${url}/readyz`);
  const { failing = [] } = (await reply.json()) as { failing?: unknown[] };
  return [reply.status, ...failing];
}

// RUN-2, RUN-9
describe("what an operator asks", () => {
  it("is alive, and ready only with its database", async () => {
    expect(await (await fetch(`${app.url}/healthz`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({ status: "ready" });
    // Beside the first: an app whose pool has ended cannot remove its own database and folder.
    const lost = await startApp({ beside: app });
    await lost.deps.db.$client.end();
    try {
      expect(await readiness(lost)).toEqual([503, { part: "database", reason: "unreachable" }]);
      expect(await statusOf(`${lost.url}/healthz`)).toBe(200);
    } finally {
      await lost.close().catch(() => {});
    }
  });

  it("is not ready while the database takes no writes", async () => {
    const standby = await startApp();
    try {
      const name = standby.deps.db.$client.options.database;
      await standby.sql(`alter role current_user in database "${name}" set default_transaction_read_only = on`);
      // The setting counts for new connections only, so every old one is closed.
      await app.sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
      await expect.poll(() => readiness(standby)).toEqual([503, { part: "database", reason: "read_only" }]);
    } finally {
      await standby.close();
    }
  });

  it("names every part that fails and no error text", async () => {
    const broken = await startApp({
      parts: {
        readiness: [
          { name: "works", check: () => Promise.resolve(undefined) },
          { name: "throws", check: () => Promise.reject(new Error("password=secret")) },
          { name: "hangs", check: () => new Promise(() => {}) },
        ],
      },
    });
    try {
      expect(await readiness(broken)).toEqual([
        503,
        { part: "throws", reason: "failed" },
        { part: "hangs", reason: "timeout" },
      ]);
    } finally {
      await broken.close();
    }
  });

  it("reads metrics from this machine, but not through a proxy or under another name", async () => {
    await fetch(`${app.url}/healthz`);
    const metrics = await fetch(`${app.url}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain("http_request_duration_seconds_bucket");
    expect(await statusOf(`${app.url}/metrics`, { "x-forwarded-for": "203.0.113.9" })).toBe(403);
    expect(await statusOf(`${app.url}/metrics`, { host: "course.example.com" })).toBe(403);
  });

  it("serves metrics from anywhere with the token, and never without it", async () => {
    const guarded = await startApp({ environment: { METRICS_TOKEN: "a long metrics token" } });
    try {
      const from = (authorization?: string) =>
        statusOf(`${guarded.url}/metrics`, {
          host: "course.example.com",
          ...(authorization === undefined ? {} : { authorization }),
        });
      expect(await from("Bearer a long metrics token")).toBe(200);
      expect(await from("Bearer wrong")).toBe(403);
      expect(await from()).toBe(403);
      expect(await statusOf(`${guarded.url}/metrics`)).toBe(403);
    } finally {
      await guarded.close();
    }
  });

  it("serves metrics in production only with a token", async () => {
    const site = await startApp({
      environment: { NODE_ENV: "production", ADMIN_EMAIL: "owner@example.com", RATE_LIMITS: "on" },
    });
    try {
      expect(await statusOf(`${site.url}/metrics`)).toBe(403);
    } finally {
      await site.close();
    }
  });

  it("finds every call of the contract in the OpenAPI document", async () => {
    const document = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(document.openapi).toMatch(/^3\.1/);
    for (const part of Object.values(contract)) {
      for (const procedure of Object.values(part)) {
        const { method = "", path = "" } = procedure["~orpc"].route;
        expect(document.paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
      }
    }
  });
});

// RUN-9
describe("every reply", () => {
  it("forbids framing, guessing of types and foreign scripts", async () => {
    const longId = "/storage/v1/upload/resumable/".padEnd(9000, "a");
    for (const path of ["/", "/api/me", "/healthz", "/nowhere", "/%ff", "/api/%ff", longId]) {
      const { headers } = await fetch(`${app.url}${path}`, path === longId ? { method: "PATCH" } : {});
      const policy = headers.get("content-security-policy")?.split("; ");
      const expected = [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ];
      expect(policy, path).toEqual(expect.arrayContaining(expected));
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it.each([
    ["https://course.example.com", "max-age=31536000; includeSubDomains"],
    ["http://course.example.com", null],
  ])("sends HSTS according to PUBLIC_URL %s: %s", async (url, expected) => {
    const site = await startApp({ environment: { PUBLIC_URL: url } });
    try {
      expect((await fetch(`${site.url}/healthz`)).headers.get("strict-transport-security")).toBe(expected);
    } finally {
      await site.close();
    }
  });

  it("forbids caching of replies with personal data", async () => {
    for (const path of ["/api/me", "/auth/v1/user", "/functions/v1/admin-users"]) {
      expect((await fetch(`${app.url}${path}`)).headers.get("cache-control")).toBe("no-store");
    }
  });

  it("to a broken, an oversized or a misrouted request is an error of the catalogue", async () => {
    const post = (body: string, type = "application/json") =>
      fetch(`${app.url}/api/quotes`, { method: "POST", body, headers: { "content-type": type } });
    const toldBy = async (asked: Promise<Response>): Promise<unknown> => {
      const answer = await asked;
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    const refusal = (code: keyof typeof errors) => ({ status: errors[code].status, code, error: errors[code].text });
    expect(await toldBy(post("{"))).toEqual(refusal("invalid_input"));
    expect(await toldBy(post("{".repeat(300_000)))).toEqual(refusal("body_too_large"));
    expect(await toldBy(post("a=b", "application/x-www-form-urlencoded"))).toEqual(refusal("body_type_invalid"));
    for (const part of ["api", "functions/v1", "storage/v1"]) {
      expect(await toldBy(fetch(`${app.url}/${part}/nothing`)), part).toEqual(refusal("not_found"));
    }
    expect(await toldBy(fetch(`${app.url}/auth/v1/nothing`))).toEqual({
      status: 404,
      code: "not_found",
      message: errors.not_found.text,
    });
    for (const path of ["/%00", "/api/%ff"]) {
      expect(await toldBy(fetch(app.url + path)), path).toEqual(refusal("invalid_input"));
    }
  });
});
