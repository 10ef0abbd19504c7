import { expect, it } from "vitest";
import { othersById, type OtherRow } from "./queries.ts";

const other = (id: string, payment_request_id: string): OtherRow & { id: string } => ({
  id,
  payment_request_id,
  user_id: null,
  email: "payer@example.com",
  status: "pending",
  created_at: new Date(0),
});

const idsOf = (found: Map<string, OtherRow[]>, id: string) =>
  found.get(id)?.map(({ payment_request_id }) => payment_request_id);

// EVIDENCE-2, PART-5
it("names another request once, also where two proofs of a request have it", () => {
  const found = othersById([other("a", "x"), other("a", "x"), other("a", "y"), other("b", "x")], 5);
  expect(idsOf(found, "a")).toEqual(["x", "y"]);
  expect(idsOf(found, "b")).toEqual(["x"]);
});

it("keeps the first others of a request, whatever its proofs come to together", () => {
  const found = othersById([other("a", "x"), other("a", "y"), other("b", "z"), other("a", "z")], 2);
  expect(idsOf(found, "a")).toEqual(["x", "y"]);
  expect(idsOf(found, "b")).toEqual(["z"]);
  expect(found.has("c")).toBe(false);
});
