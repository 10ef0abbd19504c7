import { implement, type Implementer, type ImplementerInternalWithMiddlewares } from "@orpc/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { contract, type Contract } from "#domain/api/contract";
import type { Dependencies } from "../../dependencies.ts";
import type { Actor } from "../audit.ts";
import { requireReplyOfContract } from "./replies/finished-reply.ts";
import { requireAdmin, requireProven, requireStudent, requireVerified, type Authenticate, type Principal } from "./access.ts";

/** The context of a route, besides its parsed input. */
export interface RequestContext {
  deps: Dependencies;
  authenticate: Authenticate;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What `withPrincipal` adds to it. */
export interface CallerContext {
  principal: Principal;
  actor: Actor & { id: string };
}

// Named, because the compiler would write the whole contract into the declaration of each export.
type Builder = Implementer<Contract, RequestContext, RequestContext>;
type CallerBuilder = ImplementerInternalWithMiddlewares<Contract, RequestContext, RequestContext & CallerContext>;

const base: Builder = implement(contract).$context<RequestContext>();

type Check = (principal: Principal, now: Date) => void;

/** Access is checked before the input is parsed, so that strangers learn nothing about the input (ACCESS-3). */
const withPrincipal = (check: Check) =>
  base.middleware(async ({ context, next }) => {
    const principal = await context.authenticate(context.request.headers.authorization);
    check(principal, context.deps.clock.now());
    return next({ context: { principal, actor: { id: principal.id, email: principal.email, ip: context.request.ip } } });
  });

/** Builder of routes that take no session: what they are sent says by itself who may call them. */
export const forAnyone: Builder = base;

/** Builders of routes for anyone signed in, verified accounts, verified students, and the admin. */
export const forSignedIn: CallerBuilder = base.use(withPrincipal(() => {}));
export const forVerified: CallerBuilder = base.use(withPrincipal(requireVerified));
export const forStudent: CallerBuilder = base.use(withPrincipal(requireStudent));
export const forAdmin: CallerBuilder = base.use(withPrincipal(requireAdmin));

/** `forAdmin` for sensitive actions: only in a session that was proven in the last ten minutes (STEPUP-2). */
export const forProvenAdmin: CallerBuilder = base.use(
  withPrincipal((principal, now) => {
    requireAdmin(principal);
    requireProven(principal, now);
  }),
);

const withoutReplyChecks = implement(contract)
  .$config({ initialOutputValidationIndex: Number.NaN })
  .$context<RequestContext>()
  .use(async ({ context, next, procedure }) => {
    const result = await next();
    if (context.deps.config.operation.checksReplies) await requireReplyOfContract(procedure, result.output);
    return result;
  });

/**
 * `forVerified` and `forAdmin` without validating replies, which takes a fifth of the time of a long list. For replies that one function
 * builds field by field and the compiler checks; they may be finished (`finishedReply`). Tests check them (`CHECK_REPLIES`).
 */
export const forVerifiedTrusted: CallerBuilder = withoutReplyChecks.use(withPrincipal(requireVerified));
export const forAdminTrusted: CallerBuilder = withoutReplyChecks.use(withPrincipal(requireAdmin));
