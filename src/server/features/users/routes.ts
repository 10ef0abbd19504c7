import { actingAdmin } from "../../platform/http/origin.ts";
import { forAdmin, forProvenAdmin } from "../../platform/http/router.ts";
import { endStudentSessions, removeSecondFactor } from "../auth/service.ts";
import { findUser, listAuditOfUser } from "./detail.ts";
import { grantPackage } from "./grant.ts";
import { listUsers } from "./list.ts";
import { deleteUser, setTier } from "./manage.ts";
import { addNote, changeNote, removeNote } from "./notes.ts";

export const userRoutes = {
  list: forAdmin.users.list.handler(async ({ context, input }) => {
    const { items, next_cursor } = await listUsers(context.deps, input);
    return { users: items, next_cursor };
  }),
  search: forAdmin.users.search.handler(({ context, input }) => listUsers(context.deps, input)),
  setTier: forProvenAdmin.users.setTier.handler(({ context, input }) => setTier(context.deps, actingAdmin(context), input)),
  remove: forProvenAdmin.users.remove.handler(async ({ context, input }) => {
    await deleteUser(context.deps, context.actor, input.query.userId);
    return { deleted: true } as const;
  }),
  removeSecondFactor: forProvenAdmin.users.removeSecondFactor.handler(async ({ context, input }) => {
    await removeSecondFactor(context.deps, context.actor, input.query.userId);
    return { removed: true } as const;
  }),
  get: forAdmin.users.get.handler(({ context, input }) => findUser(context.deps, input.params.id)),
  audit: forAdmin.users.audit.handler(({ context, input: { params, query } }) =>
    listAuditOfUser(context.deps, params.id, query),
  ),
  endSession: forAdmin.users.endSession.handler(async ({ context, input: { params } }) => ({
    ended: await endStudentSessions(context.deps, context.actor, params.id, { only: params.session_id }),
  })),
  endSessions: forAdmin.users.endSessions.handler(async ({ context, input }) => ({
    ended: await endStudentSessions(context.deps, context.actor, input.params.id, "all"),
  })),
  grant: forProvenAdmin.users.grant.handler(async ({ context, input }) => ({
    user: await grantPackage(context.deps, actingAdmin(context), input.params.id, input.body),
  })),
  addNote: forAdmin.users.addNote.handler(({ context, input }) =>
    addNote(context.deps, context.actor, input.params.id, input.body.text),
  ),
  updateNote: forAdmin.users.updateNote.handler(({ context, input }) =>
    changeNote(context.deps, context.actor, input.params, input.body.text),
  ),
  removeNote: forAdmin.users.removeNote.handler(async ({ context, input }) => {
    await removeNote(context.deps, context.actor, input.params);
    return { deleted: true } as const;
  }),
};
