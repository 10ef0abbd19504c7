import { account } from "./account.ts";
import { audit } from "./audit.ts";
import { coinPrices } from "./coin-prices.ts";
import { coupons } from "./coupons.ts";
import { exports } from "./exports.ts";
import { environment } from "./environment.ts";
import { guard } from "./guard.ts";
import { mailChoices } from "./mail-choices.ts";
import { liveSessions } from "./live-sessions.ts";
import { mailFailures } from "./mail-failures.ts";
import { materials } from "./materials.ts";
import { modules } from "./modules.ts";
import { news } from "./news.ts";
import { overview } from "./overview.ts";
import { paymentRequests } from "./payment-requests.ts";
import { playback } from "./playback.ts";
import { quotes } from "./quotes.ts";
import { rejectionReasons } from "./rejection-reasons.ts";
import { statistics } from "./statistics.ts";
import { testMail } from "./test-mail.ts";
import { users } from "./users.ts";
import { videos } from "./videos.ts";
import { walletSettings } from "./wallet-settings.ts";

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
