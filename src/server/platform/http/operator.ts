import { OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { contract } from "#domain/api/contract";
import { ProductError } from "#domain/errors/messages";
import type { Config } from "../../config.ts";
import type { Dependencies } from "../../dependencies.ts";
import { registerChainMetrics } from "../chain/metrics.ts";
import { registerMailMetrics } from "../mail/metrics.ts";
import { isFromThisMachine } from "./loopback.ts";
import { readinessOf } from "./readiness.ts";
import { isSameSecret } from "./secret-comparison.ts";

/** Adds the routes for operators: health, readiness, metrics (RUN-9) and the OpenAPI document. */
export function registerOperatorRoutes(app: FastifyInstance, deps: Dependencies): void {
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

  let document: Promise<unknown> | undefined;
  app.get("/api/openapi.json", () => (document ??= openApiDocument(deps.config.site.name)));
}

function mayReadMetrics(request: FastifyRequest, config: Config): boolean {
  const token = config.operation.metricsToken;
  // A proxy on this machine that adds no headers would look like this machine.
  if (token === undefined) return !config.operation.production && isFromThisMachine(request);
  return isSameSecret(request.headers.authorization, `Bearer ${token}`);
}

function openApiDocument(title: string): Promise<unknown> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  return generator.generate(contract, {
    info: { title, version: "1" },
    components: { securitySchemes: { session: { type: "http", scheme: "bearer", bearerFormat: "JWT" } } },
    security: [{ session: [] }],
    customErrorResponseBodySchema: () => ({
      type: "object",
      required: ["error", "code"],
      properties: { error: { type: "string" }, code: { type: "string" } },
    }),
  });
}
