// Over 250 lines: one table of every call of the admin that changes something, with what it writes.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditChanges } from "#domain/audit/changes";
import { auditEvents, type AuditEvent } from "#domain/audit/sentences";
import type { TestApp } from "../support/app.ts";
import { inMinutes, joinUrl } from "../support/course/live-sessions.ts";
import { captionsForm, csv, posterForm, webVtt } from "../support/course/materials.ts";
import { pay, walletForm } from "../support/payments.ts";
import { student, type Person } from "../support/people.ts";
import { turnOnSecondFactor } from "../support/second-factor.ts";
import { startShop } from "../support/shop.ts";
import { uploader } from "../support/uploads.ts";

interface AuditRow {
  action: AuditEvent;
  details: Record<string, unknown>;
}

interface Sample {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

let app: TestApp;
let operator: Person;

beforeAll(async () => {
  const usdPrice = (coin: string): Promise<string> =>
    coin === "bitcoin" ? Promise.resolve("64250.5") : Promise.reject(new Error("No price"));
  ({ app, operator } = await startShop({ parts: { prices: { usdPrice } } }));
});
afterAll(() => app?.close());

const made = async (path: string, body: unknown, headers = {}): Promise<any> => {
  const answer = await operator.call("POST", path, body, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const lesson = (module: string = randomUUID()): Promise<{ id: string; module: string }> =>
  made("/api/videos", {
    title: "Lesson",
    description: "What it is about.",
    module,
    order_index: 1,
    package_type: "both",
    video_url: "https://films.example/x",
  });
const coupon = (): Promise<{ code: string }> =>
  made("/api/coupons", { code: `C${randomUUID().slice(0, 8).toUpperCase()}`, discount_starter: "10", discount_advanced: "10" });
const plan = {
  title: "Market open",
  description: "The week ahead.",
  join_url: joinUrl,
  time_zone: "UTC",
  duration_minutes: 60,
  weekly: false,
};
const liveSession = (): Promise<{ id: string }> => made("/api/live-sessions", { ...plan, ...inMinutes(app, 120) });
const announcement = { title: "News", text: "Something new.", audience: "everyone" };
const news = (): Promise<{ id: string }> => made("/api/news", announcement, { "idempotency-key": randomUUID() });
const pendingRequest = async (): Promise<string> => (await pay(await student(app), { package_type: "advanced" })).body.id;
const failedMail = async (): Promise<string> => {
  const mail = "insert into mail_outbox (recipient, subject, sealed_body, created_at, failed_at, failure_kind)";
  const [row] = await app.sql(`${mail} values ('gone@example.com', 'Hello', 'x', now(), now(), 'mail') returning id`);
  return String(row!["id"]);
};
const userWithNote = async (): Promise<{ path: string; note: string; sessions: { id: string }[] }> => {
  const path = `/api/users/${(await student(app)).id}`;
  const note = (await made(`${path}/notes`, { text: "Asked for an invoice." })).id;
  return { path, note, sessions: (await operator.call("GET", path)).body.sessions };
};
const ofLesson = async (prepare: (path: string) => Promise<Sample>): Promise<Sample> =>
  prepare(`/api/videos/${(await lesson()).id}`);

/**
 * A call of each admin route that changes something, which must succeed and add one entry to the audit log. `npm run check` fails on a
 * route without one.
 */
const samples: Record<string, () => Sample | Promise<Sample>> = {
  "PUT /functions/v1/admin-users": async () => ({
    path: "/functions/v1/admin-users",
    body: { userId: (await student(app)).id, newRole: "starter" },
  }),
  "DELETE /functions/v1/admin-users": async () => ({ path: `/functions/v1/admin-users?userId=${(await student(app)).id}` }),
  "DELETE /functions/v1/admin-users/second-factor": async () => {
    const user = await student(app);
    await turnOnSecondFactor(app, user);
    return { path: `/functions/v1/admin-users/second-factor?userId=${user.id}` };
  },
  "DELETE /api/users/{id}/sessions/{session_id}": async () => {
    const { path, sessions } = await userWithNote();
    return { path: `${path}/sessions/${sessions[0]!.id}` };
  },
  "DELETE /api/users/{id}/sessions": async () => ({ path: `${(await userWithNote()).path}/sessions` }),
  "POST /api/users/{id}/grant": async () => ({
    path: `${(await userWithNote()).path}/grant`,
    body: { package_type: "starter", reason: "Won a prize" },
  }),
  "POST /api/users/{id}/notes": async () => ({ path: `${(await userWithNote()).path}/notes`, body: { text: "Called." } }),
  "PATCH /api/users/{id}/notes/{note_id}": async () => {
    const { path, note } = await userWithNote();
    return { path: `${path}/notes/${note}`, body: { text: "Called twice." } };
  },
  "DELETE /api/users/{id}/notes/{note_id}": async () => {
    const { path, note } = await userWithNote();
    return { path: `${path}/notes/${note}` };
  },
  "POST /api/videos": () => ({
    path: "/api/videos",
    body: {
      title: "Lesson",
      description: "About it.",
      module: "Basics",
      order_index: 1,
      package_type: "both",
      video_url: "https://films.example/x",
    },
  }),
  "PATCH /api/videos/{id}": () => ofLesson(async (path) => ({ path, body: { title: "Another title" } })),
  "DELETE /api/videos/{id}": () => ofLesson(async (path) => ({ path })),
  "PATCH /api/videos": async () => ({
    path: "/api/videos",
    body: { ids: [(await lesson()).id], changes: { package_type: "starter" } },
  }),
  "POST /api/videos/delete": async () => ({ path: "/api/videos/delete", body: { ids: [(await lesson()).id] } }),
  "PATCH /api/modules/{module}": async () => ({
    path: `/api/modules/${(await lesson()).module}`,
    body: { name: randomUUID() },
  }),
  "PUT /api/modules/order": async () => {
    await lesson();
    const names = await app.sql<{ module: string }>("select distinct module from videos");
    return { path: "/api/modules/order", body: { modules: names.map(({ module }) => module) } };
  },
  "PUT /api/modules/{module}/videos": async () => {
    const { id, module } = await lesson();
    const { id: second } = await lesson(module);
    return { path: `/api/modules/${module}/videos`, body: { ids: [second, id].toSorted().toReversed() } };
  },
  "POST /api/videos/{id}/captions": () => ofLesson(async (path) => ({ path: `${path}/captions`, body: captionsForm(webVtt) })),
  "DELETE /api/videos/{id}/captions/{language}": () =>
    ofLesson(async (path) => {
      await made(`${path}/captions`, captionsForm(webVtt));
      return { path: `${path}/captions/en` };
    }),
  "POST /api/videos/{id}/attachments": () =>
    ofLesson(async (path) => {
      const upload_id = await uploader(app, operator).upload("lesson-attachments", csv, "sizes.csv");
      return { path: `${path}/attachments`, body: { upload_id } };
    }),
  "DELETE /api/videos/{id}/attachments/{attachment_id}": () =>
    ofLesson(async (path) => {
      const upload_id = await uploader(app, operator).upload("lesson-attachments", csv, "sizes.csv");
      const { attachments } = await made(`${path}/attachments`, { upload_id });
      return { path: `${path}/attachments/${attachments[0].id}` };
    }),
  "PUT /api/videos/{id}/poster": () => ofLesson(async (path) => ({ path: `${path}/poster`, body: posterForm() })),
  "DELETE /api/videos/{id}/poster": () =>
    ofLesson(async (path) => {
      await operator.call("PUT", `${path}/poster`, posterForm());
      return { path: `${path}/poster` };
    }),
  "POST /api/coupons": () => ({
    path: "/api/coupons",
    body: { code: "AUDITED", discount_starter: "10", discount_advanced: "20" },
  }),
  "PATCH /api/coupons/{code}": async () => ({ path: `/api/coupons/${(await coupon()).code}`, body: { active: false } }),
  "DELETE /api/coupons/{code}": async () => ({ path: `/api/coupons/${(await coupon()).code}` }),
  "POST /api/test-mail": () => ({ path: "/api/test-mail", body: { to: "admin" } }),
  "PUT /api/wallet-settings": () => ({
    path: "/api/wallet-settings",
    body: { ...walletForm, thai_bank_name: "Another bank", current_password: operator.password },
  }),
  // Only one coin has a public price here.
  "POST /api/coin-prices/fetch": async () => {
    const path = "/api/coin-prices/fetch";
    await operator.call("PUT", "/api/coin-prices/bitcoin", { usd: "64000" });
    return { path };
  },
  "PUT /api/coin-prices/{coin}": () => ({ path: "/api/coin-prices/ethereum", body: { usd: "3001" } }),
  "PUT /api/coin-prices/{coin}/bounds": () => ({
    path: "/api/coin-prices/bitcoin/bounds",
    body: { lowest_usd: "1000", highest_usd: "900000" },
  }),
  "POST /api/wallet-settings/void-quotes": async () => {
    await (await student(app)).call("POST", "/api/quotes", { package_type: "starter" });
    return { path: "/api/wallet-settings/void-quotes" };
  },
  "POST /api/payment-requests/{id}/approve": async () => ({ path: `/api/payment-requests/${await pendingRequest()}/approve` }),
  "POST /api/payment-requests/{id}/reject": async () => ({
    path: `/api/payment-requests/${await pendingRequest()}/reject`,
    body: { reason: "Nothing arrived" },
  }),
  "POST /api/payment-requests/{id}/reopen": async () => {
    const path = `/api/payment-requests/${await pendingRequest()}`;
    await operator.call("POST", `${path}/approve`);
    return { path: `${path}/reopen`, body: { reason: "The transfer came back" } };
  },
  "POST /api/setup/close": () => ({ path: "/api/setup/close" }),
  "PUT /api/rejection-reasons": () => ({ path: "/api/rejection-reasons", body: { reasons: ["Nothing arrived"] } }),
  "POST /api/payment-requests/{id}/ask-rest": async () => ({
    path: `/api/payment-requests/${await pendingRequest()}/ask-rest`,
    body: { amount_received: "0.001" },
  }),
  "POST /api/live-sessions": () => ({ path: "/api/live-sessions", body: { ...plan, ...inMinutes(app, 120) } }),
  "PATCH /api/live-sessions/{id}": async () => ({
    path: `/api/live-sessions/${(await liveSession()).id}`,
    body: { title: "Market close" },
  }),
  "DELETE /api/live-sessions/{id}": async () => ({ path: `/api/live-sessions/${(await liveSession()).id}` }),
  "PATCH /api/live-sessions/occurrences/{id}": async () => {
    const { id } = await liveSession();
    const [occurrence] = await app.sql("select id from live_occurrences where session_id = $1", [id]);
    return { path: `/api/live-sessions/occurrences/${occurrence!["id"]}`, body: { cancelled: true } };
  },
  "POST /api/mail-failures/{id}/send-again": async () => ({ path: `/api/mail-failures/${await failedMail()}/send-again` }),
  "DELETE /api/mail-failures/{id}": async () => ({ path: `/api/mail-failures/${await failedMail()}` }),
  "POST /api/news": () => ({ path: "/api/news", body: announcement, headers: { "idempotency-key": randomUUID() } }),
  "PATCH /api/news/{id}": async () => ({ path: `/api/news/${(await news()).id}`, body: { title: "Other news" } }),
  "DELETE /api/news/{id}": async () => ({ path: `/api/news/${(await news()).id}` }),
  // The last one: it empties the wallet, whose destinations are the sample's.
  "DELETE /api/sample-course": async () => {
    await app.sql("update wallet_settings set is_sample = true");
    return { path: "/api/sample-course" };
  },
};

const newestEntry = async (): Promise<string> =>
  (await app.sql<{ id: string }>("select coalesce(max(id), 0) as id from audit_log"))[0]!.id;

// AUDIT-2.
describe("the audit log", () => {
  for (const [call, prepare] of Object.entries(samples)) {
    it(`has one entry, of the admin, with what changed, after ${call}`, async () => {
      const { path, body, headers } = await prepare();
      const last = await newestEntry();
      const answer = await operator.call(call.split(" ")[0]!, path, body, headers ?? {});
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      const entries = await app.sql<AuditRow>(
        "select actor_id, actor_email, ip, action, details from audit_log where id > $1",
        [last],
      );
      expect(entries).toMatchObject([{ actor_id: operator.id, actor_email: operator.email, ip: "127.0.0.1" }]);
      const { action, details } = entries[0]!;
      // AUDIT-3
      expect(auditChanges(details).length === 0, JSON.stringify(details)).toBe(auditEvents.includes(action));
    });
  }
});
