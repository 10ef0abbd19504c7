/** A file to write into a copy of the project. */
export interface SourceFile {
  file: string;
  code: string;
}

/** A deliberate violation, and what its report must say. */
export interface Violation extends SourceFile {
  boundary: string;
  says: string;
}

const outOfDomain = "Module boundary: the domain imports neither server nor web";
const impure = "Module boundary: the domain is pure";
const throughService = "Module boundary: a server feature reaches another only through its service.ts";
const ownDoor = "Module boundary: a server feature's service.ts is its door for others";
const platform = "Module boundary: the server's platform never imports features";
const belowEntities = "Module boundary: the web's ui and platform import neither features nor entities";
const noBusiness = "Module boundary: no business words in ui and platform";
const noSql = "Module boundary: routes hold no SQL";
const noHttp = "Module boundary: services hold no HTTP";
const environment = "Module boundary: only src/server/config.ts reads the environment";
const time = "Module boundary: only src/server/platform/clock.ts reads the time";
const randomness = "Module boundary: the domain knows no randomness";
const transactions = "Module boundary: transactions are run by transaction()";

const [domain, server, web] = ["src/domain", "src/server", "src/web"];
const quotes = `${server}/features/quotes`;

let count = 0;
/** A violation in a file of its own in `folder`; `name` where the boundary depends on a file's name. */
function breaks(boundary: string, folder: string, code: string, says: string = boundary, name?: string): Violation {
  count += 1;
  return { boundary, file: `${folder}/${name ?? `violation-${count}.ts`}`, code, says };
}

/** What one run of oxlint over all of them must report. */
export const lintViolations: Violation[] = [
  breaks(outOfDomain, domain, `export * from "#server/settings";`),
  breaks(outOfDomain, domain, `import type { Config } from "../server/config.ts";\nexport type C = Config;`),
  breaks(outOfDomain, domain, `export type C = import("../server/config.ts").Config;`),
  breaks(outOfDomain, domain, `export const later = () => import("#web/router");`),
  breaks(
    outOfDomain,
    domain,
    `import { settings } from "#server/settings";\nit(String(settings));`,
    undefined,
    "violation.test.ts",
  ),
  breaks(impure, domain, `export { readFile } from "node:fs/promises";`),
  breaks(impure, domain, `export { readFile } from "fs/promises";`),
  breaks(impure, domain, `export { default } from "fastify";`),
  breaks(impure, domain, `export { oc } from "@orpc/contract";`),
  breaks(impure, `${domain}/api`, `export * from "zod";`),
  breaks("Module boundary: the server never imports the web", server, `export * from "#web/router";`),
  breaks("Module boundary: the web never imports the server", web, `export type { Config } from "../server/config.ts";`),
  breaks("Module boundary: the web never imports the server", `${web}/features/student`, `export * from "#server/settings";`),
  breaks("Module boundary: the browser has zod/mini only", `${web}/platform`, `export * from "zod";`),
  breaks("Module boundary: the browser has nothing of Node", `${web}/ui`, `export { join } from "node:path";`),

  breaks(throughService, quotes, `export { findActiveByCode } from "../coupons/queries.ts";`),
  breaks(throughService, quotes, `export { couponRoutes } from "#server/features/coupons/routes";`),
  breaks(ownDoor, quotes, `export { findQuotedPayment } from "./service.ts";`),
  breaks(platform, `${server}/platform/mail`, `export { findCoupon } from "../../features/coupons/service.ts";`),
  breaks(platform, `${server}/platform/mail`, `export { buildApp } from "#server/app";`),
  breaks(platform, `${server}/platform/mail`, `export { withDatabase } from "#server/commands/command-database";`),
  breaks(platform, server, `export { findCoupon } from "./features/coupons/service.ts";`, undefined, "dependencies.ts"),
  breaks(
    "Module boundary: a web feature reaches no other web feature",
    `${web}/features/student`,
    `export * from "../payment/page.tsx";`,
  ),
  breaks(
    "Module boundary: a web feature reaches no other web feature",
    `${web}/features/admin`,
    `export * from "#web/features/auth/page";`,
  ),
  breaks(
    "Module boundary: the web's entities import no feature",
    `${web}/entities/video`,
    `export * from "../../features/auth/page.tsx";`,
  ),
  breaks(belowEntities, `${web}/ui`, `export * from "../features/auth/page.tsx";`),
  breaks(belowEntities, `${web}/platform`, `export * from "#web/features/auth/page";`),
  breaks(belowEntities, `${web}/ui`, `export * from "../entities/video/queries.ts";`),
  breaks(belowEntities, `${web}/platform/live`, `export * from "../../entities/session/session.tsx";`),
  breaks("Module boundary: the web's platform imports no ui", `${web}/platform`, `export * from "../ui/button.tsx";`),
  breaks(
    "Module boundary: the web's ui imports nothing of the domain",
    `${web}/ui`,
    `export * from "#domain/errors/messages";`,
  ),
  breaks(
    "Module boundary: the web's platform imports of the domain only",
    `${web}/platform`,
    `export * from "#domain/packages";`,
  ),
  breaks("Module boundary: the demo stands in for the server", `${web}/demo`, `export * from "../platform/api.ts";`),
  breaks(
    "crypto.randomUUID is missing without https",
    `${web}/features/a`,
    `export const id = (): string => crypto.randomUUID();`,
    "'randomUUID' is restricted",
  ),
  ...[
    "Response.json({})",
    "AbortSignal.any([])",
    "URL.canParse('')",
    "[1].toSorted()",
    "[1].toReversed()",
    "[1].toSpliced(0)",
    "[1].with(0, 2)",
  ].map((call) =>
    breaks(
      "the browsers that the build is for lack it",
      `${web}/features/a`,
      `export const it = ${call};`,
      "is restricted from being used",
    ),
  ),
  breaks("browsers run it too", domain, `export const it = [1].toSorted();`, "'toSorted' is restricted"),
  breaks(noBusiness, `${web}/ui`, `export const label = "Your payments";`),
  breaks(noBusiness, `${web}/platform`, `/** Of a student. */\nexport const id = 1;`),

  breaks(noSql, `${server}/features/a`, `export { sql } from "drizzle-orm";`, noSql, "routes.ts"),
  breaks(noSql, `${server}/features/b`, `export { default } from "pg";`, noSql, "routes.ts"),
  breaks(noSql, `${server}/features/c`, `export { quotes } from "../../platform/db/schema.ts";`, noSql, "routes.ts"),
  breaks(noSql, `${server}/features/d`, `export * from "./queries.ts";`, noSql, "admin-routes.ts"),
  breaks(noHttp, `${server}/features/a`, `export type { FastifyRequest } from "fastify";`, noHttp, "service.ts"),
  breaks(noHttp, `${server}/features/b`, `export { ORPCError } from "@orpc/server";`, noHttp, "service.ts"),
  breaks(noHttp, `${server}/features/c`, `export { createServer } from "node:http";`, noHttp, "service.ts"),

  breaks(environment, server, `export const port = process.env["PORT"];`),
  breaks(environment, server, `export const port = globalThis.process.env.PORT;`),
  breaks(environment, server, `const { env } = process;\nexport const port = env["PORT"];`),
  breaks(environment, `${server}/platform/http`, `import { env } from "node:process";\nexport const port = env["PORT"];`),
  breaks(environment, server, `import own from "node:process";\nexport const port = own.env["PORT"];`),
  breaks(environment, server, `process.loadEnvFile(".env");\nexport {};`),
  breaks(time, quotes, `export const now = (): number => Date.now();`),
  breaks(time, quotes, `export const now = (): Date => new Date();`),
  breaks(time, quotes, `export const now = (): string => Date();`),
  breaks(time, quotes, `const { now } = Date;\nexport const moment = now();`),
  breaks(time, quotes, `const Clock = Date;\nexport const moment = new Clock();`),
  breaks(time, `${server}/platform/db`, `export const now = (): number => performance.now();`),
  breaks(time, `${server}/platform/db`, `export const now = (): bigint => process.hrtime.bigint();`),
  breaks(time, domain, `export const now = (): number => Date.now();`),
  breaks(randomness, domain, `export const draw = (): number => Math.random();`),
  breaks(randomness, domain, `export const draw = (): string => crypto.randomUUID();`),

  breaks(
    transactions,
    quotes,
    `import type { Database } from "../../platform/db/database.ts";\nexport const run = (db: Database) => db.transaction(async () => {});`,
  ),
  breaks(transactions, `${server}/platform/db`, `export const run = (db: any) => db?.["transaction"](() => {});`),

  breaks(
    "no import cycles",
    `${quotes}/round`,
    `import { b } from "./b.ts";\nexport const a = (): unknown => b;`,
    "no-cycle",
    "a.ts",
  ),
  breaks(
    "no import cycles",
    `${quotes}/round`,
    `import { a } from "./a.ts";\nexport const b = (): unknown => a;`,
    "no-cycle",
    "b.ts",
  ),
  breaks(
    "no cycles by alias",
    `${domain}/round`,
    `import type { D } from "#domain/round/d";\nexport type C = D[];`,
    "no-cycle",
    "c.ts",
  ),
  breaks(
    "no cycles by alias",
    `${domain}/round`,
    `import type { C } from "./c.ts";\nexport type D = C | 1;`,
    "no-cycle",
    "d.ts",
  ),
  breaks("types are compared strictly", server, `export const isSame = (a: number, b: string) => a == (b as never);`, "eqeqeq"),
  breaks("at most 400 lines", web, `export const lines = [\n${"  1,\n".repeat(400)}];`, "max-lines"),
];

/** Files on the allowed side of each boundary, which must pass: a rule that refuses everything proves nothing. */
export const allowed: SourceFile[] = [
  { file: `${domain}/allowed.ts`, code: `export const epoch = [new Date(0), Date.parse("2026-01-01"), Date.UTC(2026)];` },
  { file: `${domain}/allowed.test.ts`, code: `import { it } from "vitest";\nit("is later", () => void Date.now());` },
  { file: `${domain}/api/allowed.ts`, code: `export { oc } from "@orpc/contract";\nexport * as z from "zod/mini";` },
  {
    file: `${quotes}/allowed.ts`,
    code: `export { findCoupon } from "../coupons/service.ts";\nexport { insertQuote } from "./queries.ts";`,
  },
  { file: `${quotes}/allowed-routes.ts`, code: `export { ORPCError } from "@orpc/server";\nexport * from "./create.ts";` },
  {
    file: `${web}/entities/video/allowed.ts`,
    code: `export * from "../../platform/api.ts";\nexport * from "#domain/packages";`,
  },
  { file: `${web}/ui/allowed.ts`, code: `export * from "../platform/site.ts";` },
  { file: `${web}/features/student/allowed.ts`, code: `export * from "#domain/packages";\nexport const now = Date.now();` },
];

/** What the compiler must report, in two runs: an import of the server into the domain would bring Node's types along. */
export const typeStages: { about: string; violations: Violation[] }[] = [
  {
    about: "a room is strict and lacks a world",
    violations: [
      ...[domain, server, web].map((room) =>
        breaks("nothing is not a value", room, `export const name: string = null;`, "TS2322"),
      ),
      breaks("the domain has no node:*", domain, `export { readFile } from "node:fs/promises";`, "node:fs/promises"),
      breaks("the domain has no process", domain, `export const platform = process.platform;`, "Cannot find name 'process'"),
      breaks("the domain has no Buffer", domain, `export const bytes = Buffer.from("");`, "Cannot find name 'Buffer'"),
      breaks("the domain has no timers", domain, `setTimeout(() => {}, 1);\nexport {};`, "Cannot find name 'setTimeout'"),
      breaks("the domain has no DOM", domain, `export const title = document.title;`, "Cannot find name 'document'"),
      breaks("the domain has no fetch", domain, `export const answer = fetch("/");`, "Cannot find name 'fetch'"),
      breaks("the server has no DOM", server, `export const title = document.title;`, "Cannot find name 'document'"),
      breaks("the web has no Node", web, `export const bytes = Buffer.from("");`, "Cannot find name 'Buffer'"),
    ],
  },
  {
    about: "a room is apart",
    violations: [
      breaks("domain does not import server", domain, `export * from "#server/settings";`, "TS6307"),
      breaks("domain does not import web", domain, `export * from "../web/allowed-by-nobody.ts";`, "TS6307"),
      breaks("server does not import web", server, `export * from "../web/allowed-by-nobody.ts";`, "TS6307"),
      breaks("web does not import server", web, `export type { Setting } from "../server/settings.ts";`, "TS6307"),
      breaks("web does not import server", web, `export type { Config } from "#server/config";`, "TS6307"),
    ],
  },
];

/** What the violations of types import, and a file for each room. */
export const allowedByTypes: SourceFile[] = [
  { file: `${domain}/allowed.ts`, code: "export const here = new Date(0);" },
  { file: `${server}/allowed.ts`, code: `export { here } from "#domain/allowed";\nexport { join } from "node:path";` },
  {
    file: `${server}/settings.ts`,
    code: "export interface Setting {\n  port: number;\n}\nexport const settings: Setting[] = [];",
  },
  { file: `${server}/config.ts`, code: "export type Config = typeof process.env;" },
  { file: `${web}/allowed.ts`, code: `export { here } from "#domain/allowed";\nexport const title = document.title;` },
  { file: `${web}/allowed-by-nobody.ts`, code: "export const here = 1;" },
];
