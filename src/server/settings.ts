// Over 250 lines: the one table of settings, a few lines for each.
import { z } from "zod";
import { maxUploadBytes } from "#domain/files/buckets";
import { s3Settings } from "./s3-settings.ts";
import {
  address,
  duration,
  email,
  endpoint,
  folderOrBucket,
  listOf,
  locationPath,
  logLevel,
  mailServer,
  notAsWritten,
  onOff,
  origin,
  production,
  proxy,
  secret,
  sender,
  webhookKey,
  wholeNumber,
} from "./setting-schemas.ts";

interface Described {
  /** The environment variable. */
  name: string;
  /** Parses the trimmed text of the variable, or the fallback. An empty variable counts as not set. */
  schema: z.ZodType<unknown, string>;
  description: string;
  /** Whether it may hold a password, a token or a key, also within an address: then no page displays it (ENVIRONMENT-1). */
  isSecret: boolean;
}

/** A setting has a fallback, or an example for `.env.example`; without a fallback it is undefined unless set. */
export type Setting = Described & ({ fallback: string; example?: never } | { fallback?: never; example: string });

/** Not every address that PostgreSQL accepts is a URL: postgres://user@/name?host=/socket/folder has no host. */
const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "must be an address that starts with postgres:// or postgresql://");

/**
 * Every setting by subject; the server reads it as `config.<subject>.<key>`. `Config`, the faults at the start, `.env.example` and the
 * README's list are derived from it.
 */
export const settings = {
  server: {
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
  },
  database: {
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
  },
  files: {
    /** Relative to the project folder, or to where an installed package is started. */
    dataDir: {
      name: "DATA_DIR",
      isSecret: false,
      schema: z.string(),
      fallback: "./data",
      description: "Folder of the embedded database, the uploads and the secrets.",
    },
    accelRedirect: {
      name: "ACCEL_REDIRECT",
      isSecret: false,
      schema: locationPath(),
      example: "/stored-files",
      description:
        "Internal location of the nginx in front that leads to the folder `objects` of DATA_DIR (`deploy/nginx`). nginx then sends stored files itself, once the site has checked a link; films in fragments stay with the site (FILE-17).",
    },
    maxScreenshotBytes: {
      name: "MAX_SCREENSHOT_BYTES",
      isSecret: false,
      schema: wholeNumber(1024, maxUploadBytes),
      fallback: "20971520",
      description: "Largest payment screenshot; 20 MB unless set, at most 5 GB.",
    },
    maxVideoBytes: {
      name: "MAX_VIDEO_BYTES",
      isSecret: false,
      schema: wholeNumber(1024, maxUploadBytes),
      fallback: "5368709120",
      description: "Largest video file, at most 5 GB.",
    },
  },
  s3: s3Settings,
  backups: {
    /** 0 for none. */
    everySeconds: {
      name: "BACKUP_EVERY",
      isSecret: false,
      schema: duration("1h", "30d"),
      fallback: "off",
      description: "`24h` makes a backup of everything each day, as `npm run backup` does, while the site serves.",
    },
    keep: {
      name: "BACKUP_KEEP",
      isSecret: false,
      schema: wholeNumber(1, 1000),
      fallback: "7",
      description: "How many scheduled backups are kept. Each has every film again.",
    },
    /** Relative to the project folder, or to where an installed package is started. */
    dir: {
      name: "BACKUP_DIR",
      isSecret: false,
      schema: folderOrBucket(),
      fallback: "./backups",
      description:
        "Folder of the scheduled backups: best on another disk, and the same one for all processes. Or `s3://bucket/folder` in the store of the S3_ settings, which then do without S3_BUCKET.",
    },
  },
  admin: {
    email: {
      name: "ADMIN_EMAIL",
      isSecret: false,
      schema: email(),
      fallback: "admin@example.com",
      description: "The one admin's address. Must be set in production.",
    },
    password: {
      name: "ADMIN_PASSWORD",
      isSecret: true,
      schema: secret(8),
      example: "",
      description: "The admin's first password, not easy to guess. Without it, a random one is printed once.",
    },
  },
  site: {
    name: {
      name: "SITE_NAME",
      isSecret: false,
      schema: z.string().regex(/^[^<>\r\n]{1,60}$/, "must be one line of at most 60 characters without < and >"),
      fallback: "Pipwright",
      description: "The name in titles, headers and mails.",
    },
    contactEmail: {
      name: "CONTACT_EMAIL",
      isSecret: false,
      schema: email(),
      example: "help@example.com",
      description: "Where students write to: shown on the pages, below errors, in mails and on receipts.",
    },
    contactUrl: {
      name: "CONTACT_URL",
      isSecret: false,
      schema: address("https", "tg", "line", "whatsapp"),
      example: "https://line.me/ti/p/your-name",
      description: "A chat or a page where students reach you, shown beside CONTACT_EMAIL.",
    },
    termsUrl: {
      name: "TERMS_URL",
      isSecret: false,
      schema: address("https", "http"),
      example: "https://example.com/terms",
      description:
        "Your terms, linked in the footer. The links of this and the next three settings are inert until they are set.",
    },
    privacyUrl: {
      name: "PRIVACY_URL",
      isSecret: false,
      schema: address("https", "http"),
      example: "https://example.com/privacy",
      description: "Your privacy policy.",
    },
    imprintUrl: {
      name: "IMPRINT_URL",
      isSecret: false,
      schema: address("https", "http"),
      example: "https://example.com/imprint",
      description: "Your imprint.",
    },
    helpUrl: {
      name: "HELP_URL",
      isSecret: false,
      schema: address("https", "http"),
      example: "https://example.com/help",
      description: "Your help pages.",
    },
  },
  mail: {
    smtpUrl: {
      name: "SMTP_URL",
      isSecret: true,
      schema: mailServer(),
      example: "smtps://user:password@mail.example.com",
      description:
        "Your mail server, without options behind a `?`. Without it, mails go to the page `/mailbox` and to the console.",
    },
    tls: {
      name: "SMTP_TLS",
      isSecret: false,
      schema: onOff(),
      fallback: "on",
      description:
        "`on` sends mails only over TLS, unless the mail server is on this machine. `off` also sends to a server without STARTTLS or a valid certificate.",
    },
    mailboxToken: {
      name: "MAILBOX_TOKEN",
      isSecret: true,
      schema: secret(),
      example: "",
      description: "The token that opens `/mailbox`. Without it, each start draws a random one and prints the whole link.",
    },
    from: {
      name: "MAIL_FROM",
      isSecret: false,
      schema: sender(),
      fallback: "Pipwright <course@example.com>",
      description: "Sender of the mails.",
    },
  },
  playback: {
    maxDevices: {
      name: "MAX_DEVICES",
      isSecret: false,
      schema: wholeNumber(0, 1000),
      fallback: "2",
      description: "Most devices of a student that play films at once; the newest wins. `0` is no limit.",
    },
    watermark: {
      name: "WATERMARK",
      isSecret: false,
      schema: onOff(),
      fallback: "off",
      description: "`on` displays the student's e-mail address over the film, as a faint moving text.",
    },
  },
  payments: {
    priceApiUrl: {
      name: "PRICE_API_URL",
      isSecret: true,
      schema: endpoint(),
      fallback: "https://api.coingecko.com/api/v3/simple/price",
      description: "Public price service, asked with `?ids=bitcoin&vs_currencies=usd`.",
    },
    priceRefreshSeconds: {
      name: "PRICE_REFRESH",
      isSecret: false,
      schema: duration("1m", "1d"),
      fallback: "off",
      description:
        "How often the coins' prices are taken from PRICE_API_URL, such as `15m`: within your bounds and never more than 20% in a step.",
    },
    bitcoinApiUrl: {
      name: "BITCOIN_API_URL",
      isSecret: true,
      schema: address("http", "https"),
      example: "https://blockstream.info/api",
      description:
        "An Esplora service, yours or a public one, that looks up Bitcoin payments. It learns your addresses and when you look. Without it, nothing is looked up.",
    },
    ethereumRpcUrl: {
      name: "ETHEREUM_RPC_URL",
      isSecret: true,
      schema: address("http", "https"),
      example: "http://localhost:8545",
      description:
        "The JSON-RPC of an Ethereum node on the main network, yours or a public one, that looks up Ethereum payments. It learns their transactions and when you look. Without it, nothing is looked up.",
    },
    upgradeCredit: {
      name: "UPGRADE_CREDIT",
      isSecret: false,
      schema: onOff(),
      fallback: "off",
      description: "`on` takes what a student paid for Starter off the price of Advanced.",
    },
    /** 0 for none. */
    destinationDelaySeconds: {
      name: "DESTINATION_DELAY",
      isSecret: false,
      schema: duration("1h", "30d"),
      fallback: "off",
      description:
        "`24h` quotes a changed address or account only a day after it was saved, so that a change by a thief can be undone before anybody pays there. Until then the former one is quoted.",
    },
  },
  webhooks: {
    url: {
      name: "WEBHOOK_URL",
      isSecret: true,
      schema: endpoint(),
      example: "https://hooks.example.com/payments",
      description:
        "Where each payment request that is submitted, approved, rejected or reopened is posted to, signed by WEBHOOK_SECRET. In production over https, or on this machine or a private network.",
    },
    keys: {
      name: "WEBHOOK_SECRET",
      isSecret: true,
      schema: listOf(webhookKey()),
      example: "",
      description:
        "Signs what is sent to WEBHOOK_URL: `whsec_` and 24 to 64 random bytes in base64 (`echo whsec_$(openssl rand -base64 32)`). Two, with a comma between, while the receiver changes to another.",
    },
  },
  operation: {
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
  },
} satisfies Record<string, Record<string, Setting>>;
