import { forStudent } from "../../platform/http/router.ts";
import { createQuote } from "./create.ts";
import { upgradeOffer } from "./upgrade-credit.ts";

export const quoteRoutes = {
  create: forStudent.quotes.create.handler(({ context, input }) => createQuote(context.deps, context.principal, input)),
  upgradeOffer: forStudent.quotes.upgradeOffer.handler(({ context }) => upgradeOffer(context.deps, context.principal.id)),
};
