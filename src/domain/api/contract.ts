import { account } from "./account.ts";
import { audit } from "./audit.ts";
import { coinPrices } from "./payments/coin-prices.ts";
import { coupons } from "./payments/coupons.ts";
import { exports } from "./exports.ts";
import { environment } from "./environment.ts";
import { guard } from "./payments/guard.ts";
import { mailChoices } from "./mail/mail-choices.ts";
import { liveSessions } from "./course/live-sessions.ts";
import { mailFailures } from "./mail/mail-failures.ts";
import { materials } from "./course/materials.ts";
import { modules } from "./course/modules.ts";
import { news } from "./course/news.ts";
import { overview } from "./overview.ts";
import { paymentRequests } from "./payments/payment-requests.ts";
import { playback } from "./course/playback.ts";
import { quotes } from "./payments/quotes.ts";
import { rejectionReasons } from "./payments/rejection-reasons.ts";
import { statistics } from "./statistics.ts";
import { testMail } from "./mail/test-mail.ts";
import { users } from "./users.ts";
import { videos } from "./course/videos.ts";
import { walletSettings } from "./payments/wallet-settings.ts";

/** The JSON part of the HTTP contract, shared by server and browser. Auth, storage and events speak protocols of their own. */
export const contract = {
  account,
  users,
  videos,
  modules,
  statistics,
  materials,
  coupons,
  walletSettings,
  coinPrices,
  guard,
  quotes,
  paymentRequests,
  rejectionReasons,
  mailFailures,
  mailChoices,
  liveSessions,
  playback,
  news,
  audit,
  overview,
  exports,
  environment,
  testMail,
};
export type Contract = typeof contract;
