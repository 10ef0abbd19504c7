import { implement } from "@orpc/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { contract } from "#domain/api/contract";
import type { Dependencies } from "../../dependencies.ts";
import { requireAdmin, requireStudent, requireVerified, type Authenticate, type Principal } from "./access.ts";

/** What a route gets beside its parsed input. */
export interface RequestContext {
  deps: Dependencies;
  authenticate: Authenticate;
  request: FastifyRequest;
  reply: FastifyReply;
}

const base = implement(contract).$context<RequestContext>();

type Check = (principal: Principal) => void;

/** Access comes before the parse, so that a stranger learns nothing about what a route takes. */
const withPrincipal = (check: Check) =>
  base.middleware(async ({ context, next }) => {
    const principal = await context.authenticate(context.request.headers.authorization);
    check(principal);
    return next({ context: { principal, actor: { id: principal.id, email: principal.email, ip: context.request.ip } } });
  });

/** The contract, to be implemented by whoever is signed in, verified, a verified student, or the admin. */
export const forSignedIn = base.use(withPrincipal(() => {}));
export const forVerified = base.use(withPrincipal(requireVerified));
export const forStudent = base.use(withPrincipal(requireStudent));
export const forAdmin = base.use(withPrincipal(requireAdmin));

/**
 * `forVerified` without the check of each reply against its schema, a fifth of what a long list costs. For replies that one
 * function makes field by field, whose type the compiler checks.
 */
export const forVerifiedTrusted = implement(contract)
  .$config({ initialOutputValidationIndex: Number.NaN })
  .$context<RequestContext>()
  .use(withPrincipal(requireVerified));
