import { chainEvidence, chainOff, type ChainState } from "#domain/evidence/chain";
import { maxOtherRequests } from "#domain/evidence/shape";
import type { Coin } from "#domain/payment-methods/settings";
import { findAllServices, type ServiceRow } from "../../../platform/chain/service-state.ts";
import { together } from "../../../platform/db/together.ts";
import { coinOf, duePayment } from "../chain/due-payment.ts";
import { findAllLookups, findAllUses, type LookupRow } from "../chain/queries.ts";
import type { ReviewedRow } from "../queries.ts";
import { othersById } from "./queries.ts";
import type { EvidenceDependencies } from "./source.ts";
import { otherRequestViews } from "./views.ts";

/** What the chain says of a payment by coin, as far as it was looked up (CHAIN-2). */
export const chainSource = async ({ db, clock, chains }: EvidenceDependencies, rows: readonly ReviewedRow[]) => {
  const at = clock.now().toISOString();
  // Stryker disable next-line ConditionTrue,LogicalOperator,LeftOperand,RightOperand: saves queries whose rows would not be used.
  const isLookedUp = (coin: Coin | undefined) => coin !== undefined && chains[coin] !== undefined;
  // Stryker disable next-line MethodExpression: the same.
  const ids = rows.filter((row) => isLookedUp(coinOf(row))).map(({ id }) => id);
  const [lookupRows, uses, serviceRows] =
    // Stryker disable next-line ConditionFalse,ArrayDeclaration: saves queries that find nothing, and rows of nothing are asked for by no request.
    ids.length === 0 ? [[], [], []] : await together(findAllLookups(db, ids), findAllUses(db, ids), findAllServices(db));
  const lookups = new Map(lookupRows.map((lookup) => [lookup.request_id, lookup]));
  const usesById = othersById(uses, maxOtherRequests);
  const services = new Map(serviceRows.map((service) => [service.coin, service]));
  return (row: ReviewedRow) => {
    const coin = coinOf(row);
    if (coin === undefined) return undefined;
    const due = duePayment(row, coin);
    if (chains[coin] === undefined) return chainOff(due, at);
    const usedBy = otherRequestViews(usesById.get(row.id));
    return chainEvidence(due, { ...stateOf(lookups.get(row.id), services.get(coin), at), usedBy });
  };
};

function stateOf(lookup: LookupRow | undefined, service: ServiceRow | undefined, now: string): Omit<ChainState, "usedBy"> {
  const hasFailed = lookup !== undefined && lookup.failures > 0;
  return {
    facts: lookup?.facts ?? undefined,
    at: lookup?.looked_at?.toISOString() ?? now,
    // Stryker disable next-line OptionalChaining: only for the types, since a migration stores a service of each coin.
    problem: service?.problem ?? (hasFailed ? "nonsense" : undefined),
  };
}
