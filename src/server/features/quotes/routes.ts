import { forStudent } from "../../platform/http/router.ts";
import { createQuote } from "./create.ts";
import { findLaunchOffer } from "./launch-offer.ts";
import { readQuoteState } from "./quoted-payment.ts";
import { upgradeOffer } from "./upgrade-credit.ts";

export const quoteRoutes = {
  create: forStudent.quotes.create.handler(({ context, input }) => createQuote(context.deps, context.principal, input)),
  state: forStudent.quotes.state.handler(({ context, input }) =>
    readQuoteState(context.deps.db, input.params.id, context.principal.id),
  ),
  launchOffer: forStudent.quotes.launchOffer.handler(async ({ context }) => {
    const body = await findLaunchOffer(context.deps, context.principal);
    return body ? { status: 200 as const, body } : { status: 204 as const };
  }),
  upgradeOffer: forStudent.quotes.upgradeOffer.handler(({ context }) => upgradeOffer(context.deps, context.principal.id)),
};
