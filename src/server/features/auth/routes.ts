import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ownPageOf } from "#domain/accounts/next-page";
import {
  EmailChangeBody,
  LogoutQuery,
  PasswordGrant,
  RecoverBody,
  RecoverQuery,
  RefreshGrant,
  ResendBody,
  SignUpBody,
  TokenQuery,
  UserUpdate,
  VerifyBody,
  VerifyType,
} from "#domain/api/auth";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Authenticate } from "../../platform/http/access.ts";
import { deviceCookie, deviceIdIn, deviceInCookie } from "../../platform/http/client/device-cookie.ts";
import { isOverHttps, originForMail } from "../../platform/http/origin.ts";
import { logSecurityEvent } from "../../platform/logging/security-events.ts";
import { forSignedIn } from "../../platform/http/router.ts";
import { verificationStatus } from "../verification/service.ts";
import { getAccount } from "./account.ts";
import type { Source } from "./limits/attempts.ts";
import { signDevice, type DeviceOwner } from "./limits/device.ts";
import { redeemRecovery, requestRecovery } from "./passwords/recovery.ts";
import { parse } from "./parse.ts";
import { apiVersion, authPrefix, protocolBody, authSessionView, authUserView } from "./protocol.ts";
import { withDetails } from "./profile/details.ts";
import { confirmEmailChange } from "./profile/email-change.ts";
import { resendCode } from "./profile/resend.ts";
import { updateUser } from "./profile/update.ts";
import { addFactorRoutes } from "./factor-routes.ts";
import { endOtherSessions, endOwnSession, listOwnSessions } from "./sessions/own.ts";
import { refreshSession } from "./sessions/refresh.ts";
import { signOut } from "./sessions/sign-out.ts";
import { stepUp } from "./sessions/step-up.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";
import { meView } from "./views.ts";

export const accountRoutes = {
  me: forSignedIn.account.me.handler(async ({ context: { deps, principal } }) =>
    meView(principal, await verificationStatus(deps, principal), deps.config.files),
  ),
  sessions: forSignedIn.account.sessions.handler(({ context, input }) =>
    listOwnSessions(context.deps, context.principal, input),
  ),
  endSession: forSignedIn.account.endSession.handler(async ({ context, input }) => {
    await endOwnSession(context.deps, context.principal, context.request.ip, input.params.id);
    return { ended: 1 } as const;
  }),
  endOtherSessions: forSignedIn.account.endOtherSessions.handler(async ({ context }) => ({
    ended: await endOtherSessions(context.deps, context.principal, context.request.ip),
  })),
  stepUp: forSignedIn.account.stepUp.handler(async ({ context, input }) => {
    const proven = await stepUp(context.deps, context.principal, input, context.request.ip);
    logSecurityEvent(context.request, "step_up", context.principal.id);
    return proven;
  }),
};

/** Registers the part of the auth protocol that the product needs (SESSION-1), with the errors and the header that auth-js expects. */
export function registerAuthRoutes(app: FastifyInstance, deps: Dependencies, authenticate: Authenticate): void {
  void app.register(
    (scope, _options, done) => {
      scope.addHook("onRequest", (_request, reply, next) => {
        reply.header("x-supabase-api-version", apiVersion);
        next();
      });
      scope.setNotFoundHandler((_request, reply) => reply.code(404).send(protocolBody(new ProductError("not_found"))));
      addSignInRoutes(scope, deps);
      addRecoveryRoutes(scope, deps);
      addUserRoutes(scope, deps, authenticate);
      addFactorRoutes(scope, deps, authenticate);
      done();
    },
    { prefix: authPrefix },
  );
}

function addSignInRoutes(scope: FastifyInstance, deps: Dependencies): void {
  scope.get("/.well-known/jwks.json", (_request, reply) => {
    reply.header("cache-control", "public, max-age=600");
    return { keys: [deps.secrets.publicJwk] };
  });
  scope.post("/signup", async (request, reply) => {
    const { email, password, data } = parse(SignUpBody, request.body);
    const session = await signUp(deps, { email, password, fullName: data?.full_name ?? "" }, sourceOf(deps, request));
    rememberDevice(deps, reply, session.account);
    return authSessionView(session);
  });
  scope.post("/token", async (request, reply) => {
    const { grant_type } = parse(TokenQuery, request.query);
    if (grant_type === "password") {
      const session = await signIn(deps, parse(PasswordGrant, request.body), sourceOf(deps, request));
      logSecurityEvent(request, "signed_in", session.account.id, "password");
      rememberDevice(deps, reply, session.account);
      return authSessionView(session);
    }
    const { refresh_token } = parse(RefreshGrant, request.body);
    return authSessionView(await refreshSession(deps, refresh_token, sourceOf(deps, request)));
  });
}

function addRecoveryRoutes(scope: FastifyInstance, deps: Dependencies): void {
  scope.post("/recover", async (request) => {
    const { email } = parse(RecoverBody, request.body);
    const { redirect_to } = parse(RecoverQuery, request.query);
    logSecurityEvent(request, "recovery_requested");
    await requestRecovery(deps, email, {
      ...sourceOf(deps, request),
      origin: originForMail(deps.config.server.publicUrl, request),
      next: ownPageOf(redirect_to),
    });
    return {};
  });
  scope.post("/verify", async (request, reply) => {
    const { type } = parse(VerifyType, request.body);
    if (type === "email_change") {
      const { email, token } = parse(EmailChangeBody, request.body);
      const account = await confirmEmailChange(deps, { email, code: token }, request.ip);
      // Returns no session: a six-digit code changes an address but does not sign in.
      return { user: authUserView(await withDetails(deps, account)) };
    }
    const { token_hash } = parse(VerifyBody, request.body);
    const session = await redeemRecovery(deps, token_hash, sourceOf(deps, request));
    logSecurityEvent(request, "signed_in", session.account.id, "recovery_link");
    rememberDevice(deps, reply, session.account);
    return authSessionView(session);
  });
  scope.post("/resend", async (request) => {
    await resendCode(deps, parse(ResendBody, request.body), request.ip);
    return {};
  });
}

function addUserRoutes(scope: FastifyInstance, deps: Dependencies, authenticate: Authenticate): void {
  scope.get("/user", async (request) => {
    const principal = await authenticate(request.headers.authorization, { opensBeforeSecondFactor: true });
    return authUserView(await withDetails(deps, await getAccount(deps, principal)));
  });
  scope.put("/user", async (request, reply) => {
    const principal = await authenticate(request.headers.authorization);
    const form = parse(UserUpdate, request.body);
    const account = await updateUser(deps, principal, form, sourceOf(deps, request));
    // A new password ends the device's token; nothing else may make one, since a session may be stolen.
    if (form.password !== undefined) rememberDevice(deps, reply, account);
    return authUserView(await withDetails(deps, account));
  });
  scope.post("/logout", async (request, reply) => {
    const principal = await authenticate(request.headers.authorization, { opensBeforeSecondFactor: true });
    const { scope: which } = parse(LogoutQuery, request.query);
    await signOut(deps, principal, request.ip, which);
    return reply.code(204).send();
  });
}

function sourceOf(deps: Dependencies, request: FastifyRequest): Source {
  const userAgent = request.headers["user-agent"] ?? "";
  return { ip: request.ip, userAgent, device: deviceOf(deps, request) };
}

function deviceOf(deps: Dependencies, request: FastifyRequest): string | undefined {
  return deviceInCookie(request.headers.cookie, isOverHttps(deps.config.server.publicUrl, request));
}

/** Gives the device an allowance of its own at later sign-ins to this account (ACCOUNT-9). */
function rememberDevice(deps: Dependencies, reply: FastifyReply, account: DeviceOwner): void {
  const token = signDevice(deps, account, deviceIdIn(deviceOf(deps, reply.request)));
  reply.header("set-cookie", deviceCookie(token, isOverHttps(deps.config.server.publicUrl, reply.request)));
}
