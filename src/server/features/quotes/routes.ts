import { forStudent } from "../../platform/http/router.ts";
import { createQuote } from "./service.ts";

export const quoteRoutes = {
  create: forStudent.quotes.create.handler(({ context, input }) => createQuote(context.deps, context.principal.id, input)),
};
