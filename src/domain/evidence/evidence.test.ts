import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { chainOff } from "./chain.ts";
import { destinationEvidence } from "./destination.ts";
import { downgradeEvidence } from "./downgrade.ts";
import { Evidence, evidenceKinds, isFlagged } from "./evidence.ts";
import { lateEvidence } from "./late.ts";
import { referenceEvidence } from "./reference.ts";
import { screenshotEvidence, type ScreenshotMatch } from "./screenshot.ts";
import type { OtherRequest } from "./shape.ts";

const at = "2026-11-22T10:48:30.000Z";
const lek: OtherRequest = {
  payment_request_id: "00000000-0000-4000-8000-000000000001",
  user_id: "00000000-0000-4000-8000-00000000000a",
  email: "lek@example.com",
  status: "pending",
  created_at: "2026-11-22T10:50:59.000Z",
};
const nok: OtherRequest = { ...lek, email: "nok@example.com", created_at: "2026-11-20T08:00:00.000Z" };
const mine = { id: "00000000-0000-4000-8000-000000000002", user_id: "00000000-0000-4000-8000-00000000000b" };

/** EVIDENCE-1. */
describe("evidence", () => {
  it("has one place for each kind, the chain first", () => {
    expect(evidenceKinds).toEqual(Evidence.def.options.map(({ shape }) => shape.kind.def.values[0]));
  });

  it("is flagged where the admin has to look twice", () => {
    const flagged = Evidence.def.options.flatMap(({ shape }) => {
      const kind = shape.kind.def.values[0];
      return Object.values(shape.verdict.def.entries)
        .filter((verdict) => isFlagged({ kind, verdict } as Evidence))
        .map((verdict) => `${kind} ${verdict}`);
    });
    expect(flagged).toEqual([
      "chain short",
      "chain over",
      "chain not_found",
      "chain other_destination",
      "chain used_before",
      "slip differs",
      "slip used_before",
      "reference disputed",
      "destination not_current",
      "screenshot same_file",
      "screenshot similar",
      "screenshot not_compared",
      "late late",
      "downgrade downgrade",
    ]);
  });

  it("fits its schema, whichever kind it is", () => {
    const made = [
      chainOff({ coin: "bitcoin", amount: "0.01", amountUsd: "497", soughtAmount: "0.01", reference: null }, at),
      referenceEvidence({ reference: "A", status: "pending", created_at: at, others: [lek] }),
      destinationEvidence({ crypto_type: "bitcoin", amount_crypto: "1", wallet_address: "bc1q" }, [], at),
      screenshotEvidence({
        id: mine.id,
        user_id: null,
        created_at: at,
        matches: [{ ...lek, kind: "same_file" }],
        verdict: "same_file",
      }),
      lateEvidence("bitcoin", { amount_usd: "497", amount_crypto: "1", wallet_address: "bc1q", quoted_at: at }, at),
      downgradeEvidence("advanced", "starter", at),
    ];
    for (const one of made) expect(z.parse(Evidence, one)).toEqual(one);
  });
});

/** EVIDENCE-2. */
describe("the evidence of a reference", () => {
  const facts = { reference: "a".repeat(64), status: "pending", created_at: at, others: [] } as const;

  it("says that there is none, or that no other request has it", () => {
    expect(referenceEvidence({ ...facts, reference: null, others: [] })).toMatchObject({
      verdict: "none",
      text: "No transaction reference was typed.",
      at,
    });
    expect(referenceEvidence({ ...facts, others: [] })).toMatchObject({
      verdict: "unique",
      text: "No request of another student has this reference.",
      at,
    });
  });

  it("names the first of the others, and dates from the newest claim", () => {
    expect(referenceEvidence({ ...facts, others: [lek] })).toEqual({
      kind: "reference",
      verdict: "disputed",
      text: "lek@example.com (pending, submitted 2026-11-22 10:50 UTC) claimed the same transaction. Only one of these requests can be approved.",
      at: lek.created_at,
      details: { others: [lek] },
    });
    expect(referenceEvidence({ ...facts, others: [nok] }).at).toBe(at);
  });

  it.each([
    [[lek, nok], "lek@example.com (pending, submitted 2026-11-22 10:50 UTC) and 1 other claimed"],
    [[nok, lek, lek], "nok@example.com (pending, submitted 2026-11-20 08:00 UTC) and 2 others claimed"],
    [[lek, nok, nok, nok, nok], "lek@example.com (pending, submitted 2026-11-22 10:50 UTC) and at least 4 others claimed"],
  ])("counts the others", (others, start) => {
    expect(referenceEvidence({ ...facts, others }).text).toContain(start);
  });

  it("says which of the requests was approved", () => {
    const approved = { ...lek, status: "approved" } as const;
    expect(referenceEvidence({ ...facts, others: [approved, nok] }).text).toContain("That request was approved, so this one");
    expect(referenceEvidence({ ...facts, status: "approved", others: [nok] }).text).toContain("This request was approved");
  });
});

/** DECIDE-6. */
describe("the evidence of a screenshot", () => {
  const me = { user_id: mine.user_id, email: "me@example.com" };
  const match = (kind: ScreenshotMatch["kind"], other: Partial<OtherRequest> = {}): ScreenshotMatch => ({
    ...lek,
    ...other,
    kind,
  });
  const textFor = (matches: ScreenshotMatch[], verdict: Parameters<typeof screenshotEvidence>[0]["verdict"]): string =>
    screenshotEvidence({ ...mine, created_at: at, matches, verdict }).text;

  it("names the first request of another person before the student's own", () => {
    expect(textFor([match("same_file", me), match("same_picture"), match("same_file", nok)], "same_file")).toBe(
      "The screenshot looks like that of a request of lek@example.com (pending, submitted 2026-11-22 10:50 UTC).",
    );
    expect(textFor([match("same_file", { ...me, email: "before@example.com" })], "same_file")).toBe(
      "The screenshot is the same file as that of another request of the same student (pending, submitted 2026-11-22 10:50 UTC).",
    );
  });

  it("calls the request's own earlier picture so, after those of other requests", () => {
    const own = match("same_file", { ...me, payment_request_id: mine.id });
    expect(textFor([own], "same_file")).toBe("The screenshot is the same file as an earlier one of this request.");
    expect(textFor([own, match("same_file", me)], "same_file")).toContain("another request of the same student");
    const deleted = { id: mine.id, user_id: null, created_at: at, matches: [{ ...own, user_id: null }] };
    expect(screenshotEvidence({ ...deleted, verdict: "same_file" }).text).toContain("an earlier one of this request");
  });

  it("names the address of a deleted account, also where it was the student's", () => {
    expect(textFor([match("same_file", { ...me, user_id: null })], "same_file")).toContain("a request of me@example.com");
    const deleted = { id: mine.id, user_id: null, created_at: at, matches: [match("same_file", { user_id: null })] };
    expect(screenshotEvidence({ ...deleted, verdict: "same_file" }).text).toContain("a request of lek@example.com");
  });

  it("tells a new screenshot from one that could not be compared", () => {
    expect(textFor([], "new")).toBe("No earlier screenshot looks like this one.");
    expect(textFor([], "not_compared")).toBe("The screenshot could not be compared with earlier ones.");
  });
});

/** EVIDENCE-3. */
it("says whether the destination is still in the wallet settings", () => {
  const transfer = { crypto_type: "thai_bank", amount_crypto: "1", wallet_address: "Kasikornbank 012" } as const;
  expect(destinationEvidence(transfer, [], at)).toMatchObject({
    verdict: "current",
    text: "The account is the one in the wallet settings.",
    details: { wallet_address: "Kasikornbank 012" },
  });
  const old = ["Kasikornbank 012", "Bangkok Bank 345"];
  expect(destinationEvidence({ ...transfer, crypto_type: "bitcoin" }, old, at)).toMatchObject({
    verdict: "not_current",
    text: "The address is no longer in the wallet settings.",
  });
  expect(destinationEvidence(transfer, ["Bangkok Bank 345"], at)).toMatchObject({
    verdict: "not_current",
    text: "The account of a further part, Bangkok Bank 345, is no longer in the wallet settings.",
  });
});

it("names what a late payer says they sent", () => {
  const claim = { amount_usd: "497", amount_crypto: "17395.00", wallet_address: "Kasikornbank 012", quoted_at: at };
  expect(lateEvidence("thai_bank", claim, at).text).toBe(
    "Paid by the quote of 2026-11-22 10:48 UTC, they say: 17,395.00 THB to Kasikornbank 012.",
  );
});

it("names the package that an approval would lower", () => {
  expect(downgradeEvidence("advanced", "starter", at).text).toBe("The student has Advanced. Approving lowers that to Starter.");
});
