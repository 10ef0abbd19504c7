import { join } from "node:path";
import { OpenAPIHandler } from "@orpc/openapi/fastify";
import { ORPCError } from "@orpc/server";
import fastify, { type FastifyInstance } from "fastify";
import type { Dependencies } from "./dependencies.ts";
import { registerAuthRoutes, accountRoutes } from "./features/auth/routes.ts";
import { authenticator } from "./features/auth/service.ts";
import { couponRoutes } from "./features/coupons/routes.ts";
import { screenshotBucket } from "./features/payment-requests/bucket.ts";
import { paymentRequestRoutes } from "./features/payment-requests/routes.ts";
import { quoteRoutes } from "./features/quotes/routes.ts";
import { userRoutes } from "./features/users/routes.ts";
import { verificationRoutes } from "./features/verification/routes.ts";
import { videoBucket } from "./features/videos/bucket.ts";
import { videoRoutes } from "./features/videos/routes.ts";
import { walletSettingsRoutes } from "./features/wallet-settings/routes.ts";
import type { Authenticate } from "./platform/http/access.ts";
import { limitBodyTime } from "./platform/http/body-time.ts";
import { Drain } from "./platform/http/drain.ts";
import { bodyOf, productError } from "./platform/http/errors.ts";
import { registerOperatorRoutes } from "./platform/http/operator.ts";
import type { RequestContext } from "./platform/http/router.ts";
import { addSecurityHeaders } from "./platform/http/security-headers.ts";
import { registerWebApp } from "./platform/http/web-app.ts";
import { loggerOptions } from "./platform/logging/logger.ts";
import { registerMailbox } from "./platform/mail/mailbox.ts";
import { registerEventStreams } from "./platform/realtime/streams.ts";
import { registerStorageRoutes } from "./platform/storage/routes.ts";

const router = {
  account: { ...accountRoutes, ...verificationRoutes },
  users: userRoutes,
  videos: videoRoutes,
  coupons: couponRoutes,
  walletSettings: walletSettingsRoutes,
  quotes: quoteRoutes,
  paymentRequests: paymentRequestRoutes,
};

/** The whole HTTP side over its dependencies, not yet listening. */
export function buildApp(deps: Dependencies): FastifyInstance {
  const { config } = deps;
  const app = fastify({
    logger: loggerOptions(config.logLevel),
    trustProxy: config.trustProxy,
    bodyLimit: 256 * 1024,
    // Would cut uploads; limitBodyTime stands in its place.
    requestTimeout: 0,
    forceCloseConnections: true,
    // Fastify's own reply has another body than the product's errors.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300 },
  });
  const authenticate = authenticator(deps);
  const drain = new Drain();

  addSecurityHeaders(app);
  limitBodyTime(app);
  acceptEmptyJson(app);
  answerErrors(app);
  registerOperatorRoutes(app, { ...deps, readiness: [drain.check, ...deps.readiness] });
  registerEventStreams(app, deps, authenticate);
  registerAuthRoutes(app, deps, authenticate);
  registerStorageRoutes(app, deps, authenticate, [screenshotBucket(config, deps.pictures), videoBucket(config)]);
  registerMailbox(app, deps);
  registerContract(app, deps, authenticate);
  registerWebApp(app, join(config.projectDir, "dist/web"), config);
  drain.register(app);
  return app;
}

function registerContract(app: FastifyInstance, deps: Dependencies, authenticate: Authenticate): void {
  const handler = new OpenAPIHandler<RequestContext>(router, {
    customErrorResponseBodyEncoder: (error) => bodyOf(productError(error)),
    clientInterceptors: [
      async ({ next, context }) => {
        try {
          return await next();
        } catch (thrown) {
          const error = productError(thrown);
          if (error.status >= 500) context.request.log.error(thrown);
          if (error.retryAfter !== undefined) context.reply.header("retry-after", error.retryAfter);
          throw new ORPCError(error.code, { status: error.status, message: error.message, cause: error });
        }
      },
    ],
  });
  const answer = async (request: RequestContext["request"], reply: RequestContext["reply"]): Promise<void> => {
    const { matched } = await handler.handle(request, reply, { context: { deps, authenticate, request, reply } });
    if (!matched) reply.callNotFound();
  };
  app.all("/api/*", answer);
  app.all("/functions/v1/*", answer);
}

/** `POST` without a body but with a JSON type is what many clients send. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else void parse(request, body as string, done);
  });
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = productError(thrown);
    if (error.status >= 500) request.log.error(thrown);
    if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
    return reply.code(error.status).send(bodyOf(error));
  });
}
