import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { Evidence } from "./evidence.ts";
import { referenceEvidence } from "./reference.ts";
import type { OtherRequest } from "./shape.ts";
import { slipEvidence, slipReferenceForm, type SlipFacts, type SlipTransfer } from "./slip.ts";

const read_at = "2026-11-22T10:48:30.000Z";
const lek: OtherRequest = {
  payment_request_id: "00000000-0000-4000-8000-000000000001",
  user_id: "00000000-0000-4000-8000-00000000000a",
  email: "lek@example.com",
  status: "pending",
  created_at: "2026-11-22T10:50:59.000Z",
};
const earlier: OtherRequest = {
  ...lek,
  payment_request_id: "00000000-0000-4000-8000-000000000002",
  user_id: "00000000-0000-4000-8000-00000000000b",
  email: "nok@example.com",
  created_at: "2026-11-20T08:00:00.000Z",
  status: "approved",
};
const me = "00000000-0000-4000-8000-00000000000c";
const transfer: SlipTransfer = {
  code: { sending_bank: "014", reference: "202611223mc8k3ykZbndfi" },
  isRepeated: false,
  others: [],
};
const facts: SlipFacts = { part: null, outcome: "read", transfers: [transfer], typed: null, read_at };

/** The facts of a slip whose transfer is of other requests too. */
const sharedBy = (others: OtherRequest[], slip = facts): SlipFacts => ({
  ...slip,
  transfers: slip.transfers.map((one) => ({ ...one, others })),
});

/** SLIP-3. */
describe("the evidence of a slip", () => {
  it("names the sending bank and the reference as the bank wrote it", () => {
    const evidence = slipEvidence(me, [facts]);
    expect(evidence).toEqual({
      kind: "slip",
      verdict: "read",
      text: "The slip is of Siam Commercial Bank, reference 202611223mc8k3ykZbndfi.",
      at: read_at,
      details: { sending_bank: "Siam Commercial Bank", reference: "202611223mc8k3ykZbndfi", others: [] },
    });
    expect(z.parse(Evidence, evidence)).toEqual(evidence);
  });

  it.each([
    ["202611223MC8K3YKZBNDFI", "read"],
    ["KZBNDFI", "read"],
    ["ZBNDFI", "read"],
    ["BNDFI", "differs"],
    ["SCB202611223MC8K3YKZBNDFI", "read"],
    ["202611223MC8K3YKZBNDFX", "differs"],
  ])("compares the typed reference %s", (typed, verdict) => {
    const evidence = slipEvidence(me, [{ ...facts, typed }]);
    expect(evidence.verdict).toBe(verdict);
    expect(evidence.text.endsWith(`The student typed another reference: ${typed}.`)).toBe(verdict === "differs");
  });

  it("takes a short reference that is the same", () => {
    const code = { sending_bank: "014", reference: "BNDFI" };
    expect(slipEvidence(me, [{ ...facts, transfers: [{ ...transfer, code }], typed: "BNDFI" }]).verdict).toBe("read");
  });

  it("compares references by their letters and digits in capitals", () => {
    expect(slipReferenceForm("2026-11.22/mc8_K")).toBe("20261122MC8K");
  });

  it("says why there is no code", () => {
    const none = { ...facts, transfers: [], typed: "ABC1234" };
    expect(slipEvidence(me, [{ ...none, outcome: "no_code" }])).toEqual({
      kind: "slip",
      verdict: "none",
      text: "A transfer slip without a code, or with one that cannot be read.",
      at: read_at,
      details: { sending_bank: null, reference: null, others: [] },
    });
    expect(slipEvidence(me, [{ ...none, outcome: "unreadable" }]).text).toBe(
      "The picture could not be searched for the code of a transfer slip.",
    );
  });
});

/** SLIP-4. */
describe("a transfer of several requests", () => {
  it("names the oldest of the others, and dates from the newest", () => {
    expect(slipEvidence(me, [sharedBy([earlier, lek])])).toMatchObject({
      verdict: "used_before",
      text: "The slip is of Siam Commercial Bank, reference 202611223mc8k3ykZbndfi. The same transfer belongs to a request of nok@example.com (approved, submitted 2026-11-20 08:00 UTC) and 1 more.",
      at: lek.created_at,
      details: { others: [earlier, lek] },
    });
    expect(slipEvidence(me, [sharedBy([earlier])]).at).toBe(read_at);
    const many = Array.from({ length: 6 }, () => earlier);
    expect(slipEvidence(me, [sharedBy(many)]).text).toMatch(/UTC\) and at least 4 more\.$/);
  });

  it("distinguishes requests of the same student, with the reference that differs", () => {
    const { verdict, text } = slipEvidence(lek.user_id, [sharedBy([lek], { ...facts, typed: "20260101" })]);
    expect(verdict).toBe("used_before");
    expect(text).toContain(
      "The student typed another reference: 20260101. The same transfer belongs to another request of the same student (pending, submitted 2026-11-22 10:50 UTC).",
    );
  });

  it("is disputed where another student's slip has the typed reference", () => {
    const typed = { reference: "A1234", status: "pending", created_at: read_at } as const;
    expect(referenceEvidence({ ...typed, others: [], withSlip: [lek] })).toEqual({
      kind: "reference",
      verdict: "disputed",
      text: "The slip of lek@example.com (pending, submitted 2026-11-22 10:50 UTC) has this reference.",
      at: lek.created_at,
      details: { others: [lek] },
    });
    expect(referenceEvidence({ ...typed, others: [earlier], withSlip: [lek] })).toMatchObject({
      text: "nok@example.com (approved, submitted 2026-11-20 08:00 UTC) claimed the same transaction. That request was approved, so this one cannot be. The slip of lek@example.com (pending, submitted 2026-11-22 10:50 UTC) has this reference.",
      details: { others: [earlier, lek] },
    });
  });

  it("names at most 5 other requests with a reference, each once", () => {
    const others = Array.from({ length: 7 }, (_, index) => ({ ...lek, payment_request_id: String(index) }));
    const typed = { reference: "A1234", status: "pending", created_at: read_at } as const;
    const { details } = referenceEvidence({ ...typed, others: others.slice(0, 3), withSlip: others.slice(2) });
    expect(details.others).toEqual(others.slice(0, 5));
  });

  it("names at most 5 other requests, also of several parts", () => {
    const others = Array.from({ length: 7 }, (_, index) => ({ ...lek, payment_request_id: String(index) }));
    const parts = [others.slice(0, 4), others.slice(3)].map((some, index) => sharedBy(some, { ...facts, part: index + 1 }));
    expect(slipEvidence(me, parts).details.others).toEqual(others.slice(0, 5));
  });
});

/** SLIP-3, SLIP-4. */
describe("the slips of several parts", () => {
  const [one, two] = [
    { ...transfer, code: { sending_bank: "014", reference: "FIRST1" } },
    { ...transfer, code: { sending_bank: "004", reference: "SECOND2" } },
  ];
  const first: SlipFacts = { ...facts, part: 1, transfers: [one] };
  const second: SlipFacts = { ...facts, part: 2, transfers: [two] };
  const third: SlipFacts = { ...facts, part: 3, transfers: [], outcome: "no_code", read_at: "2026-11-23T09:00:00.000Z" };

  it("are each named, and the newest dates the evidence", () => {
    expect(slipEvidence(me, [first, second, third])).toEqual({
      kind: "slip",
      verdict: "none",
      text: "Part 1: The slip is of Siam Commercial Bank, reference FIRST1. Part 2: The slip is of Kasikornbank, reference SECOND2. Part 3: A transfer slip without a code, or with one that cannot be read.",
      at: third.read_at,
      details: { sending_bank: null, reference: null, others: [] },
    });
  });

  it("have the verdict and the details of the one with the most weight", () => {
    const differs = { ...second, typed: "OTHER99" };
    const used = sharedBy([lek], first);
    expect(slipEvidence(me, [first, second]).verdict).toBe("read");
    expect(slipEvidence(me, [first, third, differs])).toMatchObject({
      verdict: "differs",
      text: expect.stringContaining("Part 2: The slip is of Kasikornbank, reference SECOND2. The student typed another"),
      details: { sending_bank: "Kasikornbank", reference: "SECOND2" },
    });
    expect(slipEvidence(me, [differs, used])).toMatchObject({ verdict: "used_before", details: { reference: "FIRST1" } });
  });

  it("say that one transfer stands for two of them", () => {
    expect(slipEvidence(me, [first, { ...second, transfers: [{ ...two, isRepeated: true }] }])).toMatchObject({
      verdict: "used_before",
      text: expect.stringMatching(
        /^Part 1: [^.]+\. Part 2: [^.]+\. The same transfer belongs to another part of this payment\.$/,
      ),
      details: { reference: "SECOND2", others: [] },
    });
  });

  it("name each other request once, and at most 5", () => {
    const others = Array.from({ length: 5 }, (_, index) => ({ ...lek, payment_request_id: `${index}` }));
    const { details } = slipEvidence(me, [sharedBy([lek], first), sharedBy([lek, ...others], second)]);
    expect(details.others).toEqual([lek, ...others.slice(0, 4)]);
  });
});

/** SLIP-3, SLIP-4. */
describe("several slips on one picture", () => {
  const [one, two] = [
    { ...transfer, code: { sending_bank: "014", reference: "FIRST1" } },
    { ...transfer, code: { sending_bank: "004", reference: "SECOND2" } },
  ];
  const both: SlipFacts = { ...facts, transfers: [one, two] };
  const named = "Slip 1 is of Siam Commercial Bank, reference FIRST1. Slip 2 is of Kasikornbank, reference SECOND2.";

  it.each([["FIRST1"], ["SECOND2"]])("are read where the reference of one is typed: %s", (typed) => {
    const { verdict, text } = slipEvidence(me, [{ ...both, typed }]);
    expect([verdict, text]).toEqual(["read", named]);
  });

  it("differ where the typed reference is that of none", () => {
    expect(slipEvidence(me, [{ ...both, part: 2, typed: "OTHER99" }])).toMatchObject({
      verdict: "differs",
      text: `Part 2: ${named} The student typed another reference: OTHER99.`,
      details: { sending_bank: "Siam Commercial Bank", reference: "FIRST1" },
    });
  });

  it("say which of their transfers was used before", () => {
    const used = { ...two, isRepeated: true, others: [lek] };
    expect(slipEvidence(me, [{ ...both, transfers: [one, used] }])).toMatchObject({
      verdict: "used_before",
      text: `${named} The transfer of slip 2 belongs to another part of this payment. The transfer of slip 2 belongs to a request of lek@example.com (pending, submitted 2026-11-22 10:50 UTC).`,
      details: { sending_bank: "Kasikornbank", reference: "SECOND2", others: [lek] },
    });
  });
});
