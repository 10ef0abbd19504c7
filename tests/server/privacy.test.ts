import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminEmail, startApp, type TestApp } from "../support/app.ts";
import { allMails, mailsTo } from "../support/mails/received.ts";
import { pay, setUpWallets, uploadScreenshot } from "../support/payments.ts";
import { admin, student, visitor, type Answer, type Person } from "../support/people.ts";

/** A buyer with an approved, a rejected and a pending request, and a curious student who somehow knows every id of theirs. */
let app: TestApp;
let buyer: Person;
let curious: Person;
let tokenOfCurious: string;
let known: { approved: string; rejected: string; pending: string; quote: string; upload: string; name: string };

beforeAll(async () => {
  app = await startApp();
  const operator = await admin(app);
  await setUpWallets(operator);
  buyer = await student(app);
  curious = await student(app);
  const reference = "c".repeat(64);
  const approved = (await pay(buyer, { extra: { reference } })).body;
  await operator.call("POST", `/api/payment-requests/${approved.id}/approve`);
  const rejected = (await pay(buyer, { package_type: "advanced" })).body;
  await operator.call("POST", `/api/payment-requests/${rejected.id}/reject`, { reason: "A secret reason." });
  const quote = (await buyer.call("POST", "/api/quotes", { package_type: "advanced" })).body.id;
  const pending = (await pay(buyer, { package_type: "advanced" })).body;
  const upload = await uploadScreenshot(buyer);
  const name = pending.screenshot_url;
  const own = (await pay(curious, { package_type: "advanced" })).body.id;
  const link = await curious.call("GET", `/api/payment-requests/${own}/screenshot`);
  tokenOfCurious = new URL(link.body.url).searchParams.get("token") ?? "";
  known = { approved: approved.id, rejected: rejected.id, pending: pending.id, quote, upload, name };
});
afterAll(() => app?.close());

/** Nothing that is the buyer's, in any form. */
function expectNothingOf(person: Person, answer: Answer): void {
  const text = JSON.stringify(answer.body);
  for (const secret of [person.email, person.id, "A secret reason.", "c".repeat(64)]) {
    expect(text).not.toContain(secret);
  }
}

describe("of another student's, knowing every id, one reads nothing", () => {
  const strangers: [string, () => Person, number][] = [
    ["another student", () => curious, 404],
    ["somebody without a session", () => visitor(app), 401],
  ];

  for (const [who, stranger, missing] of strangers) {
    it(`as ${who}: receipts and screenshots answer as if they did not exist`, async () => {
      for (const part of ["receipt", "screenshot"]) {
        const ask = async (id: string): Promise<Pick<Answer, "status" | "body">> => {
          const { status, body } = await stranger().call("GET", `/api/payment-requests/${id}/${part}`);
          return { status, body };
        };
        const unknown = await ask(randomUUID());
        expect(unknown.status).toBe(missing);
        for (const id of [known.approved, known.rejected, known.pending]) expect(await ask(id)).toEqual(unknown);
      }
    });

    it(`as ${who}: the file behind a known name opens by no link but its owner's`, async () => {
      for (const query of ["", "?token=", `?token=${tokenOfCurious}`]) {
        const answer = await stranger().call("GET", `/storage/v1/object/sign/payment-screenshots/${known.name}${query}`);
        expect(answer.status).toBe(403);
        expectNothingOf(buyer, answer);
      }
      const link = await buyer.call("GET", `/api/payment-requests/${known.pending}/screenshot`);
      expect((await fetch(link.body.url)).status).toBe(200);
      const other = await stranger().call("GET", `/storage/v1/object/public/payment-screenshots/${known.name}`);
      expect(other.status).toBe(404);
    });

    it(`as ${who}: uploads cannot be looked at, continued or ended`, async () => {
      for (const method of ["HEAD", "PATCH", "DELETE"]) {
        const answer = await stranger().call(method, `/storage/v1/upload/resumable/${known.upload}`, undefined, {
          "tus-resumable": "1.0.0",
          "upload-offset": "0",
          "content-type": "application/offset+octet-stream",
        });
        expect(answer.status).toBe(missing);
        expectNothingOf(buyer, answer);
      }
      expect(await app.sql("select 1 from stored_objects where id = $1", [known.upload])).toHaveLength(1);
    });
  }

  it("their lists, profile and quotes stay their own", async () => {
    for (const path of ["/api/payment-requests/mine", "/api/me", "/api/upgrade-offer", "/api/approval-time"]) {
      expectNothingOf(buyer, await curious.call("GET", path));
    }
    const foreign = await pay(curious, { extra: { quote_id: known.quote } });
    expect(foreign.body.code).toBe("quote_not_found");
    expect((await pay(curious, { extra: { paid_quote_id: known.quote } })).body.code).toBe("quote_not_found");
  });
});

describe("what cannot be guessed", () => {
  it("ids are random, not counted", async () => {
    for (const id of Object.values(known).slice(0, 5))
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it("a receipt's number, which is counted, opens nothing", async () => {
    const { body } = await buyer.call("GET", `/api/payment-requests/${known.approved}/receipt`);
    for (const viewer of [buyer, curious]) {
      expect((await viewer.call("GET", `/api/payment-requests/${body.receipt_number}/receipt`)).status).toBe(400);
    }
  });
});

describe("mails", () => {
  it("go to the person they are about and name nobody else", async () => {
    const { receipt_number } = (await buyer.call("GET", `/api/payment-requests/${known.approved}/receipt`)).body;
    const all = await allMails(app);
    const recipientsOf = (secret: string): string[] => all.filter(({ text }) => text.includes(secret)).map(({ to }) => to);
    for (const secret of [receipt_number, "A secret reason."]) expect(recipientsOf(secret)).toEqual([buyer.email]);
    const secrets = [buyer.email, buyer.id, "c".repeat(64), ...Object.values(known)];
    expect(new Set(secrets.flatMap(recipientsOf))).toEqual(new Set([buyer.email, adminEmail]));
    const mails = await mailsTo(app, buyer.email);
    expect(mails.length).toBeGreaterThan(3);
    for (const mail of mails) expect(mail.text).not.toContain(curious.email);
    for (const { text } of await mailsTo(app, curious.email))
      expectNothingOf(buyer, { status: 0, headers: new Headers(), body: text });
  });
});
