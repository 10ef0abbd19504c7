import { backups, files, playback } from "./settings/files.ts";
import { payments, webhooks } from "./settings/payments.ts";
import { s3 } from "./settings/s3.ts";
import { database, operation, server } from "./settings/server.ts";
import type { Setting } from "./settings/setting.ts";
import { admin, mail, site } from "./settings/site.ts";

export type { Setting };

/**
 * Every setting by subject; the server reads it as `config.<subject>.<key>`. `Config`, the faults at the start, `.env.example` and the
 * README's list are derived from it.
 */
export const settings = {
  server,
  database,
  files,
  s3,
  backups,
  admin,
  site,
  mail,
  playback,
  payments,
  webhooks,
  operation,
} satisfies Record<string, Record<string, Setting>>;
