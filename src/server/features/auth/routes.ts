import type { FastifyInstance } from "fastify";
import type * as z from "zod/mini";
import {
  LogoutQuery,
  PasswordGrant,
  RecoverBody,
  RefreshGrant,
  SignUpBody,
  TokenQuery,
  UserUpdate,
  VerifyBody,
} from "#domain/api/auth";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Authenticate } from "../../platform/http/access.ts";
import { originForMail } from "../../platform/http/origin.ts";
import { forSignedIn } from "../../platform/http/router.ts";
import { getAccount } from "./account.ts";
import { changePassword } from "./passwords/change.ts";
import { redeemRecovery, requestRecovery } from "./passwords/recovery.ts";
import { apiVersion, authPrefix, protocolBody, sessionView, userView } from "./protocol.ts";
import { refreshSession } from "./sessions/refresh.ts";
import { signOut } from "./sessions/sign-out.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";

export const accountRoutes = {
  me: forSignedIn.account.me.handler(({ context: { deps, principal } }) => ({
    id: principal.id,
    email: principal.email,
    full_name: principal.full_name,
    subscription_status: principal.subscription_status,
    email_verified: principal.email_verified,
    role: principal.role,
    max_upload_bytes: {
      "payment-screenshots": deps.config.files.maxScreenshotBytes,
      "course-videos": deps.config.files.maxVideoBytes,
    },
  })),
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
  scope.post("/signup", async (request) => {
    const { email, password, data } = parse(SignUpBody, request.body);
    return sessionView(await signUp(deps, { email, password, fullName: data?.full_name ?? "" }, request.ip));
  });
  scope.post("/token", async (request) => {
    const { grant_type } = parse(TokenQuery, request.query);
    if (grant_type === "password") {
      return sessionView(await signIn(deps, parse(PasswordGrant, request.body), request.ip));
    }
    const { refresh_token } = parse(RefreshGrant, request.body);
    return sessionView(await refreshSession(deps, refresh_token, request.ip));
  });
}

function addRecoveryRoutes(scope: FastifyInstance, deps: Dependencies): void {
  scope.post("/recover", async (request) => {
    const { email } = parse(RecoverBody, request.body);
    await requestRecovery(deps, email, { ip: request.ip, origin: originForMail(deps.config.server.publicUrl, request) });
    return {};
  });
  scope.post("/verify", async (request) => {
    const { token_hash } = parse(VerifyBody, request.body);
    return sessionView(await redeemRecovery(deps, token_hash, request.ip));
  });
}

function addUserRoutes(scope: FastifyInstance, deps: Dependencies, authenticate: Authenticate): void {
  scope.get("/user", async (request) => {
    const principal = await authenticate(request.headers.authorization);
    return userView(await getAccount(deps, principal));
  });
  scope.put("/user", async (request) => {
    const principal = await authenticate(request.headers.authorization);
    const { password, current_password } = parse(UserUpdate, request.body);
    if (password === undefined) return userView(await getAccount(deps, principal));
    return userView(await changePassword(deps, principal, { password, current_password }, request.ip));
  });
  scope.post("/logout", async (request, reply) => {
    const principal = await authenticate(request.headers.authorization);
    const { scope: which } = parse(LogoutQuery, request.query);
    await signOut(deps, principal, which);
    return reply.code(204).send();
  });
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new ProductError("invalid_input");
  return parsed.data;
}
