import { OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { contract } from "#domain/api/contract";
import { ProductError } from "#domain/errors/messages";
import type { Config } from "../../config.ts";
import type { Dependencies } from "../../dependencies.ts";
import { registerBackupMetrics } from "../backup/schedule/metrics.ts";
import { registerChainMetrics } from "../chain/metrics.ts";
import { registerMailMetrics } from "../mail/metrics.ts";
import { apiDocsPage, apiDocsStyles, type OpenApiDocument } from "./api-docs/page.ts";
import { isFromThisMachine } from "./client/loopback.ts";
import { originOf } from "./origin.ts";
import { readinessOf } from "./readiness.ts";
import { isSameSecret } from "./secret-comparison.ts";

/** Adds figures of a feature to `/metrics`. */
type RegisterMetrics = (registry: Registry, deps: Dependencies) => void;

/** Adds the routes for operators: health, readiness, metrics (RUN-9), also those of features, and the OpenAPI document. */
export function registerOperatorRoutes(
  app: FastifyInstance,
  deps: Dependencies,
  featureMetrics: readonly RegisterMetrics[],
): void {
  app.get("/healthz", () => ({ status: "ok" }));
  const readiness = readinessOf(deps.readiness);
  app.get("/readyz", async (_request, reply) => {
    const result = await readiness();
    return reply.code(result.status === "ready" ? 200 : 503).send(result);
  });

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerMailMetrics(registry, deps.db);
  registerChainMetrics(registry, deps.db);
  registerBackupMetrics(registry, deps);
  for (const register of featureMetrics) register(registry, deps);
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time to answer, by method, route and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  app.addHook("onResponse", (request, reply, done) => {
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? "none", status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayReadMetrics(request, deps.config)) throw new ProductError("not_allowed");
    return reply.type(registry.contentType).send(await registry.metrics());
  });

  let document: Promise<OpenApiDocument> | undefined;
  const described = (): Promise<OpenApiDocument> => (document ??= openApiDocument(deps.config.site.name));
  app.get("/api/openapi.json", described);
  app.get("/api/docs", async (request, reply) => {
    const page = apiDocsPage(await described(), originOf(deps.config.server.publicUrl, request));
    return reply.type("text/html; charset=utf-8").send(page);
  });
  app.get("/api/docs.css", (_request, reply) => reply.type("text/css; charset=utf-8").send(apiDocsStyles));
}

function mayReadMetrics(request: FastifyRequest, config: Config): boolean {
  const token = config.operation.metricsToken;
  // A proxy on this machine that adds no headers would look like this machine.
  if (token === undefined) return !config.operation.production && isFromThisMachine(request);
  return isSameSecret(request.headers.authorization, `Bearer ${token}`);
}

async function openApiDocument(title: string): Promise<OpenApiDocument> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document: unknown = await generator.generate(contract, {
    info: { title, version: "1" },
    components: { securitySchemes: { session: { type: "http", scheme: "bearer", bearerFormat: "JWT" } } },
    security: [{ session: [] }],
    customErrorResponseBodySchema: () => ({
      type: "object",
      required: ["error", "code"],
      properties: { error: { type: "string" }, code: { type: "string" } },
    }),
  });
  return document as OpenApiDocument;
}
