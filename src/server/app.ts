import { maxHeaderSize } from "node:http";
import { join } from "node:path";
import type { AnyContractProcedure } from "@orpc/contract";
import { ORPCError, type Router } from "@orpc/server";
import { contract, type Contract } from "#domain/api/contract";
import { ProductError } from "#domain/errors/messages";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Dependencies } from "./dependencies.ts";
import { apiVersion, isAuthCall, protocolBody } from "./features/auth/protocol.ts";
import { registerAuthRoutes, accountRoutes } from "./features/auth/routes.ts";
import { authenticator } from "./features/auth/service.ts";
import { auditRoutes } from "./features/audit/routes.ts";
import { couponRoutes } from "./features/coupons/routes.ts";
import { environmentRoutes } from "./features/environment/routes.ts";
import { mailChoiceRoutes, registerUnsubscribe } from "./features/mail-choices/routes.ts";
import { exportRoutes, registerExports } from "./features/exports/routes.ts";
import { registerCalendar } from "./features/live-sessions/calendar-routes.ts";
import { liveSessionRoutes } from "./features/live-sessions/routes.ts";
import { mailFailureRoutes } from "./features/mail-failures/routes.ts";
import { screenshotBucket } from "./features/payment-requests/screenshots/bucket.ts";
import { newsRoutes } from "./features/news/routes.ts";
import { overviewRoutes } from "./features/overview/routes.ts";
import { paymentRequestRoutes } from "./features/payment-requests/routes.ts";
import { playbackRoutes } from "./features/playback/routes.ts";
import { quoteRoutes } from "./features/quotes/routes.ts";
import { rejectionReasonRoutes } from "./features/rejection-reasons/routes.ts";
import { testMailRoutes } from "./features/test-mail/routes.ts";
import { userRoutes } from "./features/users/routes.ts";
import { verificationRoutes } from "./features/verification/routes.ts";
import { videoBucket } from "./features/videos/bucket.ts";
import { moduleRoutes } from "./features/videos/modules/routes.ts";
import { attachmentBucket, captionBucket, posterBucket } from "./features/videos/materials/buckets.ts";
import { materialForms, materialRoutes } from "./features/videos/materials/routes.ts";
import { statisticsRoutes } from "./features/videos/statistics/routes.ts";
import { videoRoutes } from "./features/videos/routes.ts";
import { coinPriceRoutes } from "./features/wallet-settings/prices/routes.ts";
import { guardRoutes } from "./features/wallet-settings/guard/routes.ts";
import { walletSettingsRoutes } from "./features/wallet-settings/routes.ts";
import { registerWebhookMetrics } from "./features/webhooks/service.ts";
import type { Authenticate } from "./platform/http/access.ts";
import { limitBodyTime } from "./platform/http/body-time.ts";
import { replyToMalformedRequest } from "./platform/http/client-errors.ts";
import { checkForwarding, trustedProxies } from "./platform/http/client/client-address.ts";
import { Drain } from "./platform/http/drain.ts";
import { bodyOf, productError } from "./platform/http/errors.ts";
import { registerForms } from "./platform/http/form-bodies.ts";
import { registerOperatorRoutes } from "./platform/http/operator.ts";
import { servePipelinedInTurn } from "./platform/http/pipelining.ts";
import { contractHandler } from "./platform/http/replies/contract-handler.ts";
import type { RequestContext } from "./platform/http/router.ts";
import { addSecurityHeaders } from "./platform/http/security-headers.ts";
import { storeOrigin } from "./platform/storage/s3/store-origin.ts";
import { decodableUrl, parseJsonBodies, refuseMalformedText } from "./platform/http/text-input.ts";
import { wantsErrorPage } from "./platform/http/pages/page-request.ts";
import { siteOf } from "./platform/http/pages/page-texts.ts";
import { errorPage, registerWebApp, type SendPage } from "./platform/http/pages/web-app.ts";
import { fixedParts, loggerOptions } from "./platform/logging/logger.ts";
import { carryRequestIds } from "./platform/logging/request-id.ts";
import { logRefusal } from "./platform/logging/security-events.ts";
import { registerMailbox } from "./platform/mail/mailbox/mailbox.ts";
import { registerEventStreams } from "./platform/realtime/streams.ts";
import { registerStorageRoutes } from "./platform/storage/routes.ts";

const router: Router<Contract, RequestContext> = {
  account: { ...accountRoutes, ...verificationRoutes },
  users: userRoutes,
  videos: videoRoutes,
  modules: moduleRoutes,
  statistics: statisticsRoutes,
  materials: materialRoutes,
  coupons: couponRoutes,
  walletSettings: walletSettingsRoutes,
  coinPrices: coinPriceRoutes,
  guard: guardRoutes,
  quotes: quoteRoutes,
  paymentRequests: paymentRequestRoutes,
  rejectionReasons: rejectionReasonRoutes,
  mailFailures: mailFailureRoutes,
  mailChoices: mailChoiceRoutes,
  liveSessions: liveSessionRoutes,
  playback: playbackRoutes,
  news: newsRoutes,
  audit: auditRoutes,
  overview: overviewRoutes,
  exports: exportRoutes,
  environment: environmentRoutes,
  testMail: testMailRoutes,
};

/** Returns the HTTP server over its dependencies, not yet listening. */
export function buildApp(deps: Dependencies): FastifyInstance {
  const { config } = deps;
  const pathWords = new Set(contractPaths().flatMap(fixedParts));
  const app = fastify({
    logger: loggerOptions(config.operation.logLevel, pathWords, deps.logStream),
    // Unlike Fastify's own, they differ between processes and after a restart.
    genReqId: () => crypto.randomUUID(),
    trustProxy: trustedProxies(config.server.trustProxy),
    bodyLimit: 256 * 1024,
    // Off, since it would cut uploads; limitBodyTime replaces it.
    requestTimeout: 0,
    // Limits silence, not duration: a client that stops reading would keep its connection for ever. Uploads and downloads have limits of their own.
    connectionTimeout: 120_000,
    // Longer than Caddy keeps an idle connection (two minutes): a request that it sends while we close one fails.
    keepAliveTimeout: 150_000,
    forceCloseConnections: true,
    clientErrorHandler: replyToMalformedRequest,
    // The body of Fastify's own reply differs from the product's errors.
    return503OnClosing: false,
    // Both let every request pass the hooks; what the router refuses has no headers of ours.
    rewriteUrl: decodableUrl,
    routerOptions: { maxParamLength: maxHeaderSize },
  });
  servePipelinedInTurn(app);
  carryRequestIds(app);
  const authenticate = authenticator(deps);
  const drain = new Drain();

  app.addHook("onRoute", ({ url }) => fixedParts(url).forEach((part) => pathWords.add(part)));
  checkForwarding(app, config.server.trustProxy);
  addSecurityHeaders(app, config.server.publicUrl, config.s3 && storeOrigin(config.s3));
  limitBodyTime(app);
  parseJsonBodies(app);
  const webFolder = join(config.projectDir, "dist/web");
  const site = siteOf(config);
  const sendErrorPage = errorPage(webFolder, site);
  app.setErrorHandler((thrown, request, reply) => answerError(thrown, request, reply, sendErrorPage));
  refuseMalformedText(app);
  registerOperatorRoutes(app, { ...deps, readiness: [drain.check, ...deps.readiness] }, [registerWebhookMetrics]);
  registerEventStreams(app, deps, authenticate);
  registerAuthRoutes(app, deps, authenticate);
  const lessonBuckets = [videoBucket(config), attachmentBucket, captionBucket, posterBucket];
  registerStorageRoutes(app, deps, authenticate, [screenshotBucket(config, deps.pictures), ...lessonBuckets]);
  registerCalendar(app, deps);
  registerExports(app, deps, authenticate);
  registerMailbox(app, deps);
  registerUnsubscribe(app, deps);
  registerContract(app, deps, authenticate);
  registerWebApp(app, webFolder, site, (request, reply) => answerError(new ProductError("not_found"), request, reply));
  drain.register(app);
  return app;
}

function contractPaths(): string[] {
  const parts = Object.values(contract) as Record<string, AnyContractProcedure>[];
  return parts.flatMap((part) => Object.values(part).map((call) => call["~orpc"].route.path ?? ""));
}

function registerContract(app: FastifyInstance, deps: Dependencies, authenticate: Authenticate): void {
  const replyToCall = contractHandler(router, {
    customErrorResponseBodyEncoder: (error) => bodyOf(productError(error)),
    clientInterceptors: [
      async ({ next, context }) => {
        try {
          return await next();
        } catch (thrown) {
          const error = refusalOf(thrown, context.request, context.reply);
          throw new ORPCError(error.code, { status: error.status, message: error.message, cause: error });
        }
      },
    ],
  });
  const answer = (request: RequestContext["request"], reply: RequestContext["reply"]): Promise<FastifyReply> =>
    replyToCall({ deps, authenticate, request, reply });
  registerForms(app, authenticate, materialForms, answer);
  app.all("/api/*", answer);
  app.all("/functions/v1/*", answer);
}

/** Returns the error to answer with, after it is logged as what it is and its header set. */
function refusalOf(thrown: unknown, request: FastifyRequest, reply: FastifyReply): ProductError {
  const error = productError(thrown);
  if (error.status >= 500) request.log.error(thrown);
  logRefusal(request, error);
  if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
  return error;
}

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, sendPage?: SendPage): FastifyReply {
  const error = refusalOf(thrown, request, reply);
  if (sendPage && error.status < 500 && wantsErrorPage(request)) return sendPage(request, reply.code(error.status));
  if (!isAuthCall(request)) return reply.code(error.status).send(bodyOf(error));
  // Also where no hook ran: without the header auth-js does not read the code.
  return reply.code(error.status).header("x-supabase-api-version", apiVersion).send(protocolBody(error));
}
