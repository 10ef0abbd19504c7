import { expect, it } from "vitest";
import { amountOnChain } from "./chain-amount.ts";
import { chainEvidence, type ChainEvidence, type ChainState, type DuePayment } from "./chain.ts";
import { downgradeEvidence } from "./downgrade.ts";

const due: DuePayment = { coin: "bitcoin", amount: "1", amountUsd: "60000", soughtAmount: "1", reference: null };
const at = "2026-11-22T12:00:00.000Z";

/** The evidence of a payment of which `received` has arrived. */
function evidenceOf(received: string, changes: Partial<ChainState> = {}, confirmations = 3): ChainEvidence {
  const found = { id: "a", received, confirmations, at, isReverted: false, isContractCall: false, elsewhere: [] };
  const facts = { by: "amount" as const, since: at, transactions: [found], gone: [] };
  return chainEvidence(due, { facts, at, problem: undefined, usedBy: [], ...changes });
}

// PART-1
it.each([
  ["1", "matched", "1.00000000"],
  ["0.5", "short", "0.50000000"],
  ["2", "over", "2.00000000"],
])("counts %s coins, which are %s, as %s", (received, verdict, amount) => {
  const evidence = evidenceOf(received);
  expect([evidence.verdict, amountOnChain(evidence)]).toEqual([verdict, amount]);
});

// CHAIN-6
it("counts what was confirmed before the service failed", () => {
  expect(amountOnChain(evidenceOf("0.5", { problem: "unreachable" }))).toBe("0.50000000");
});

it("counts nothing that is unconfirmed, counts for another request, or is unknown", () => {
  const other = {
    payment_request_id: "7",
    user_id: null,
    email: "lek@example.com",
    status: "approved",
    created_at: at,
  } as const;
  const fails = { problem: "unreachable" } as const;
  const none = [
    evidenceOf("1", {}, 1),
    evidenceOf("1", { usedBy: [other] }),
    evidenceOf("1", fails, 1),
    evidenceOf("1", { ...fails, usedBy: [other] }),
    evidenceOf("1", { ...fails, facts: undefined }),
  ];
  const verdicts = ["unconfirmed", "used_before", "unavailable", "unavailable", "unavailable"];
  expect(none.map(({ verdict }) => verdict)).toEqual(verdicts);
  expect(none.map(amountOnChain)).toEqual(verdicts.map(() => null));
  expect(amountOnChain(undefined)).toBeNull();
  expect(amountOnChain(downgradeEvidence("advanced", "starter", at))).toBeNull();
});
