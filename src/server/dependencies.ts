import type { Config } from "./config.ts";
import type { CaptionReader } from "./platform/captions/caption-reader.ts";
import type { Chains } from "./platform/chain/open.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/db/database.ts";
import type { Outbox } from "./platform/mail/outbox.ts";
import type { PasswordChecker } from "./platform/passwords/password-checker.ts";
import type { PictureReader } from "./platform/pictures/picture-reader.ts";
import type { PriceSource } from "./platform/prices/prices.ts";
import type { ChangeFeed } from "./platform/realtime/changes.ts";
import type { RateLimits } from "./platform/http/rate-limit.ts";
import type { ReadinessCheck } from "./platform/http/readiness.ts";
import type { Secrets } from "./platform/secrets.ts";
import type { SignedLinks } from "./platform/storage/downloads/signed-links.ts";
import type { ObjectStore } from "./platform/storage/object-store.ts";

/** What services use of the outside world; tests pass replacements. */
export interface Dependencies {
  config: Config;
  secrets: Secrets;
  clock: Clock;
  db: Database;
  limits: RateLimits;
  outbox: Outbox;
  /** Opens the mailbox; undefined where the site has none. */
  mailboxToken: string | undefined;
  changes: ChangeFeed;
  prices: PriceSource;
  chains: Chains;
  passwords: PasswordChecker;
  pictures: PictureReader;
  captions: CaptionReader;
  objects: ObjectStore;
  links: SignedLinks;
  /** Where the log goes, a line of JSON each; stdout unless given. */
  logStream?: { write(line: string): void };
  /** The checks behind `/readyz`. */
  readiness: ReadinessCheck[];
}
