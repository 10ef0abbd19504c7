interface Setting {
  fallback?: string;
  description: string;
  /** Example for .env.example where there is no fallback. */
  example?: string;
}

/** Every setting, its default and its meaning: the source of `config.ts`, `.env.example` and the README's table. */
export const settings = {
  PORT: { fallback: "3000", description: "Port to listen on." },
  HOST: { fallback: "localhost", description: "Address to listen on; `0.0.0.0` for every network interface." },
  PUBLIC_URL: {
    description: "The address visitors use, for links in mails. Without it, the address of the request.",
    example: "https://course.example.com",
  },
  DATA_DIR: { fallback: "./data", description: "Folder of the embedded database, the uploads and the secrets." },
  DATABASE_URL: {
    description: "A PostgreSQL 15 or newer of yours. Without it, one is embedded in DATA_DIR.",
    example: "postgres://user:password@host:5432/course",
  },
  ADMIN_EMAIL: { fallback: "admin@example.com", description: "The one admin's address. Must be set in production." },
  ADMIN_PASSWORD: { description: "The admin's first password. Without it, a random one is printed once.", example: "" },
  SITE_NAME: { fallback: "Pipwright", description: "The name in titles, headers and mails." },
  SMTP_URL: {
    description: "Your mail server. Without it, mails go to the page `/mailbox` and to the console.",
    example: "smtps://user:password@mail.example.com",
  },
  MAIL_FROM: { fallback: "Pipwright <course@example.com>", description: "Sender of the mails." },
  PRICE_API_URL: {
    fallback: "https://api.coingecko.com/api/v3/simple/price",
    description: "Public price service, asked with `?ids=bitcoin&vs_currencies=usd`.",
  },
  TRUST_PROXY: {
    fallback: "off",
    description: "`on`, or the addresses of the reverse proxies whose X-Forwarded-* headers are believed.",
  },
  UPGRADE_CREDIT: {
    fallback: "off",
    description: "`on` takes what a student paid for Starter off the price of Advanced.",
  },
  RATE_LIMITS: { fallback: "on", description: "`off` is for tests and refused in production." },
  MAX_SCREENSHOT_BYTES: { fallback: "20971520", description: "Largest payment screenshot; 20 MB unless set, at most 5 GB." },
  MAX_VIDEO_BYTES: { fallback: "5368709120", description: "Largest video file, at most 5 GB." },
  MAX_STREAMS: { fallback: "5000", description: "Most live connections of browsers that one process holds." },
  METRICS_TOKEN: { description: "Bearer token for `/metrics`. Without it, only this machine itself may read it.", example: "" },
  LOG_LEVEL: { fallback: "warn", description: "fatal, error, warn, info, debug, trace or silent." },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
