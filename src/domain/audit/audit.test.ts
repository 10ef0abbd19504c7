import { describe, expect, it } from "vitest";
import { auditChanges, auditFacts } from "./changes.ts";
import { auditActions, auditSentence } from "./sentences.ts";

const sentence = (action: string, details: Record<string, unknown> = {}, subject_id = "7") =>
  auditSentence({ action, subject_type: "thing", subject_id, details });

const payment = { payer: "ann@example.com", package_type: "advanced", amount_usd: "997" };

// AUDIT-5.
describe("the sentence of an entry", () => {
  it.each([
    [
      "payment-request.approve",
      { ...payment, before: { tier: "unpaid" }, after: { tier: "advanced" } },
      "approved the payment of ann@example.com (Advanced, 997 USD), tier unpaid → advanced",
    ],
    ["payment-request.reject", { ...payment, reason: "Nothing arrived" }, /USD\): Nothing arrived$/],
    ["payment-request.approve", { tier_before: "unpaid", tier_after: "starter" }, "approved payment 7, tier unpaid → starter"],
    ["payment-request.approve", { tier_before: "starter", tier_after: "starter" }, "approved payment 7"],
    [
      "user.tier",
      { email: "ann@example.com", before: "unpaid", after: "starter" },
      /of ann@example.com from unpaid to starter$/,
    ],
    [
      "user.grant",
      { email: "ann@example.com", before: "unpaid", after: "starter", reason: "Won a prize" },
      "gave ann@example.com starter for free: Won a prize",
    ],
    ["user.sessions-end", { email: "ann@example.com", ended: 2 }, "ended 2 sessions of ann@example.com"],
    ["quotes.void", { count: 1 }, "ended 1 open quote"],
    ["quotes.void", { count: 2 }, "ended 2 open quotes"],
    ["news.publish", { title: "Hi", mail: true }, "published the announcement “Hi” and mailed it"],
    ["videos.update", { count: 3 }, "changed 3 lessons"],
    ["module.rename", { before: "A", after: "B", merged: false }, "renamed the module “A” to “B”"],
    ["module.rename", { before: "A", after: "B", merged: true }, "merged the module “A” into “B”"],
    ["video.attachment.remove", { title: "One" }, "removed a file from the lesson “One”"],
    [
      "video.attachment.remove",
      { title: "One", before: { filename: "sizes.csv" } },
      "removed the file sizes.csv from the lesson “One”",
    ],
    ["video.captions.save", { title: "One", before: { language: "en" }, after: { language: "en" } }, /the captions en of/],
    ["user.delete", { before: { email: "ann@example.com" } }, "deleted the user ann@example.com"],
    ["sample-course.remove", { before: { lessons: 1 } }, "removed the sample course, 1 lesson"],
    ["sample-course.remove", { lessons: 16 }, "removed the sample course, 16 lessons"],
    [
      "export.payments",
      { filters: { status: "pending", method: "bitcoin" } },
      "exported the payments with status “pending”, method “bitcoin”",
    ],
    ["export.users", { filters: {} }, "exported the users"],
  ])("of %s with %j is readable", (action, details, expected) => {
    expect(sentence(action, details)).toMatch(expected);
    if (typeof expected === "string") expect(sentence(action, details)).toBe(expected);
  });

  it.each(auditActions)("of %s is readable without any details, as in an old entry", (action) => {
    expect(sentence(action)).toMatch(/^[a-z]/);
    expect(sentence(action)).not.toMatch(/undefined|null|NaN|\[object|“”/);
  });

  it("of an unknown action names it and its subject", () => {
    expect(sentence("moon.land")).toBe("moon.land (thing 7)");
    expect(sentence("toString")).toBe("toString (thing 7)");
  });
});

// AUDIT-3.
describe("the changes of an entry", () => {
  it("are the fields that differ, also those that came or went", () => {
    const details = { before: { a: "1", b: [1], c: "x" }, after: { a: "1", b: [1, 2], d: true }, other: 3 };
    expect(auditChanges(details)).toEqual([
      { field: "b", before: "[1]", after: "[1,2]" },
      { field: "c", before: "x", after: null },
      { field: "d", before: null, after: "true" },
    ]);
  });

  it("have a single value without a field, and none in an entry without them", () => {
    expect(auditChanges({ before: "unpaid", after: "starter" })).toEqual([{ field: "", before: "unpaid", after: "starter" }]);
    expect(auditChanges({ after: { a: "1" } })).toEqual([{ field: "a", before: null, after: "1" }]);
    expect(auditChanges({ before: ["a"], after: null })).toEqual([{ field: "", before: '["a"]', after: null }]);
    expect(auditChanges({ before: ["a"], after: ["a", "b"] })).toEqual([{ field: "", before: '["a"]', after: '["a","b"]' }]);
    expect(auditChanges({ count: 3 })).toEqual([]);
  });

  it("leave the other details as facts", () => {
    const facts = auditFacts({ before: "1", after: "2", amount_usd: "997", list: ["a"], note: null, empty: "" });
    expect(facts).toEqual([
      ["amount usd", "997"],
      ["list", '["a"]'],
    ]);
  });
});
