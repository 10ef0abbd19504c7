import { forAdmin, forAnyone, forProvenAdmin } from "../../../platform/http/router.ts";
import { listGuardedChanges } from "./list.ts";
import { previewUndo, undoChange } from "./undo.ts";
import { readOpenQuotes, voidOpenQuotes } from "./void-quotes.ts";

export const guardRoutes = {
  changes: forAdmin.guard.changes.handler(({ context }) => listGuardedChanges(context.deps)),
  openQuotes: forAdmin.guard.openQuotes.handler(({ context }) => readOpenQuotes(context.deps)),
  voidQuotes: forProvenAdmin.guard.voidQuotes.handler(({ context }) =>
    voidOpenQuotes(context.deps, context.principal, context.actor),
  ),
  previewUndo: forAnyone.guard.previewUndo.handler(({ context, input }) =>
    previewUndo(context.deps, input.token, context.request.ip),
  ),
  undo: forAnyone.guard.undo.handler(({ context, input }) => undoChange(context.deps, input.token, context.request.ip)),
};
