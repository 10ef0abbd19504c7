// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { chainEvidence } from "#domain/evidence/chain";
import type { ChainFacts } from "#domain/evidence/chain-facts";
import { show } from "../../../../../../tests/support/render.tsx";
import { EvidenceList } from "./evidence-list.tsx";

// TEXT-3
test("displays each amount of the chain with its currency and 8 decimals", () => {
  const due = { coin: "ethereum", amount: "0.0997", amountUsd: "299.1", soughtAmount: "0.0997", reference: "0xabc" } as const;
  const at = "2026-11-26T12:00:00.000Z";
  const plain = { isReverted: false, isContractCall: false, elsewhere: [] };
  const transaction = { id: "0xabc", received: "0.04970000", confirmations: 64, at, ...plain };
  const facts: ChainFacts = { by: "reference", since: at, gone: [], transactions: [transaction] };
  const evidence = [chainEvidence(due, { facts, at, problem: undefined, usedBy: [] })];
  show(<EvidenceList request={{ crypto_type: "ethereum", evidence }} />);
  const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
  expect(fact("Amount due")).toBe("0.09970000 ETH");
  expect(fact("Amount received")).toBe("0.04970000 ETH");
  expect(fact("Difference")).toBe("-0.05000000 ETH");
  expect(screen.getByText(/^0.04970000 ETH, 26 Nov 2026/)).toBeDefined();
});
