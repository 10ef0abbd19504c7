import { z } from "zod";
import { listOf, logLevel, notAsWritten, onOff, origin, production, proxy, secret, wholeNumber } from "./schemas.ts";
import type { Setting } from "./setting.ts";

/** Not every address that PostgreSQL accepts is a URL: postgres://user@/name?host=/socket/folder has no host. */
const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "must be an address that starts with postgres:// or postgresql://");

export const server = {
  port: {
    name: "PORT",
    isSecret: false,
    schema: wholeNumber(0, 65_535),
    fallback: "3000",
    description: "Port to listen on.",
  },
  host: {
    name: "HOST",
    isSecret: false,
    schema: z.string(),
    fallback: "localhost",
    description: "Address to listen on; `0.0.0.0` for every network interface.",
  },
  publicUrl: {
    name: "PUBLIC_URL",
    isSecret: false,
    schema: origin(),
    example: "https://course.example.com",
    description:
      "The address visitors use. Without it, pages take the address of the request, and mails have links only to this machine.",
  },
  trustProxy: {
    name: "TRUST_PROXY",
    isSecret: false,
    schema: z.union([onOff(), listOf(proxy())], {
      error: notAsWritten("must be on, off, or addresses such as 10.0.0.1 or 10.0.0.0/8"),
    }),
    fallback: "off",
    description:
      "`on` believes X-Forwarded-* headers of this machine and of private networks; or name the addresses of your reverse proxies.",
  },
  rateLimits: {
    name: "RATE_LIMITS",
    isSecret: false,
    schema: onOff(),
    fallback: "on",
    description: "`off` is for tests and refused in production.",
  },
  maxStreams: {
    name: "MAX_STREAMS",
    isSecret: false,
    schema: wholeNumber(1, 1_000_000),
    fallback: "5000",
    description: "Most live connections of browsers that one process holds.",
  },
} satisfies Record<string, Setting>;

export const database = {
  url: {
    name: "DATABASE_URL",
    isSecret: true,
    schema: postgresAddress,
    example: "postgres://user:password@host:5432/course",
    description: "A PostgreSQL 15 or newer of yours. Without it, one is embedded in DATA_DIR.",
  },
  directUrl: {
    name: "DATABASE_DIRECT_URL",
    isSecret: true,
    schema: postgresAddress,
    example: "postgres://user:password@host:5432/course",
    description:
      "The same database without the pooler, where DATABASE_URL leads through one that shares connections between transactions.",
  },
  preparesStatements: {
    name: "PREPARED_STATEMENTS",
    isSecret: false,
    schema: z.union([onOff(), z.literal("auto")], { error: notAsWritten("must be on, off or auto") }),
    fallback: "auto",
    description:
      "`auto` is `off` with DATABASE_DIRECT_URL, since a pooler may lose prepared statements, and else `on`. `on` for a pooler that keeps them.",
  },
} satisfies Record<string, Setting>;

export const operation = {
  production: {
    name: "NODE_ENV",
    isSecret: false,
    schema: production(),
    fallback: "development",
    description:
      "`production` on a real site: no page `/mailbox`, no `npm run seed`, and no settings that are for trying out. Else `development` or `test`.",
  },
  checksReplies: {
    name: "CHECK_REPLIES",
    isSecret: false,
    schema: onOff(),
    fallback: "off",
    description: "`on` compares replies that are not checked otherwise with the contract. For development; it takes time.",
  },
  metricsToken: {
    name: "METRICS_TOKEN",
    isSecret: true,
    schema: secret(),
    example: "",
    description: "Bearer token for `/metrics`. Without it, only this machine itself may read it, and nobody in production.",
  },
  logLevel: {
    name: "LOG_LEVEL",
    isSecret: false,
    schema: logLevel(),
    fallback: "warn",
    description: "fatal, error, warn, info, debug, trace or silent.",
  },
} satisfies Record<string, Setting>;
