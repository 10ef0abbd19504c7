import type { FastifyInstance } from "fastify";
import { FactorBody, FactorParams, FactorVerifyBody } from "#domain/api/auth";
import type { Dependencies } from "../../dependencies.ts";
import type { Authenticate } from "../../platform/http/access.ts";
import { logSecurityEvent } from "../../platform/logging/security-events.ts";
import { parse } from "./parse.ts";
import { authSessionView } from "./protocol.ts";
import { enrollFactor } from "./second-factor/enroll.ts";
import { unenrollFactor } from "./second-factor/unenroll.ts";
import { challengeFactor, verifyFactor } from "./second-factor/verify.ts";
import { enrolmentView } from "./second-factor/views.ts";

/** Registers what the `mfa` part of auth-js calls. A session that has yet to pass the second factor reaches all of it. */
export function addFactorRoutes(scope: FastifyInstance, deps: Dependencies, authenticate: Authenticate): void {
  const open = { opensBeforeSecondFactor: true } as const;
  scope.post("/factors", async (request) => {
    const principal = await authenticate(request.headers.authorization, open);
    const { friendly_name, issuer } = parse(FactorBody, request.body);
    return enrolmentView(await enrollFactor(deps, principal, { friendlyName: friendly_name, issuer }));
  });
  scope.delete("/factors/:id", async (request) => {
    const principal = await authenticate(request.headers.authorization, open);
    const { id } = parse(FactorParams, request.params);
    await unenrollFactor(deps, principal, id, request.ip);
    return { id };
  });
  scope.post("/factors/:id/challenge", async (request) => {
    const principal = await authenticate(request.headers.authorization, open);
    const { id } = parse(FactorParams, request.params);
    const challenge = await challengeFactor(deps, principal, id);
    return { id: challenge.id, type: "totp", expires_at: Math.floor(challenge.expiresAt.getTime() / 1000) };
  });
  scope.post("/factors/:id/verify", async (request) => {
    const principal = await authenticate(request.headers.authorization, open);
    const { id: factorId } = parse(FactorParams, request.params);
    const { challenge_id: challengeId, code } = parse(FactorVerifyBody, request.body);
    const session = await verifyFactor(deps, principal, { factorId, challengeId, code }, request.ip);
    logSecurityEvent(request, "signed_in", principal.id, "second_factor");
    return authSessionView(session);
  });
}
