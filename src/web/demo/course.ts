import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import type { News } from "#domain/api/course/news";
import type { Video } from "#domain/api/course/videos";
import type { VideoPackageType } from "#domain/video-access";
import { moduleNames } from "#domain/texts/texts";
import { defaultWalletSettings, type WalletSettings } from "#domain/payment-methods/settings";
import { randomUuid } from "../platform/browsers/random-uuid.ts";

/** Nobody can be paid here: the words say so to a reader, and no wallet accepts them. */
export const demoWallet: WalletSettings = {
  ...defaultWalletSettings,
  bitcoin_address: "bc1qsample-do-not-pay-sample-do-not-pay",
  ethereum_address: "0xSAMPLEdoNOTpaySAMPLEdoNOTpay0000000000",
  thai_bank_name: "Sample Bank",
  thai_bank_account_number: "000-0-00000-0",
  thai_bank_account_name: "Sample Account",
  promptpay_id: "0000000000",
};

type Lesson = [module: string, order: number, packageType: VideoPackageType, title: string, description: string];

const lessons: Lesson[] = [
  ["Forex Basics", 1, "both", "What a currency pair is", "Base, quote, pip and lot, and what a price of 1.0850 really says."],
  [
    "Forex Basics",
    2,
    "starter",
    "Sessions and liquidity",
    "When London and New York overlap, and why the same setup behaves differently at noon.",
  ],
  ["SMC Course", 1, "both", "Reading structure", "Higher highs, lower lows, and the break that changes the story."],
  ["SMC Course", 2, "starter", "Order blocks", "Where large orders were filled, how to mark the zone, and when it is used up."],
  [
    "Elliott Wave",
    1,
    "advanced",
    "Five waves and three",
    "The shape of a trend and of its correction, with the rules that may not be broken.",
  ],
  ["Elliott Wave", 2, "advanced", "Counting in real time", "How to hold two counts at once and what it takes to drop one."],
  ["Risk Management", 1, "starter", "One percent", "Position size from the stop, never the other way round."],
  ["Psychology", 1, "both", "The journal", "What to write down after every trade, and the one number to look at on Sunday."],
  ["Live Trading", 1, "advanced", "A week of EUR/USD", "Five mornings at the screen: two trades, three days of waiting."],
];

/** Returns the sample lessons. A function, so that builds with a server leave them out. */
export function makeDemoVideos(): Omit<Video, "playable">[] {
  return lessons.map(([module, order_index, package_type, title, description]) => ({
    id: randomUuid(),
    title,
    description,
    module,
    module_order: moduleNames.findIndex((name) => name === module) + 1,
    order_index,
    package_type,
    source: "upload",
    duration_seconds: null,
    progress: null,
    poster_url: null,
    captions: [],
    attachments: [],
  }));
}

/** Returns a sample announcement of the day before. */
export function makeDemoNews(): News {
  return {
    id: randomUuid(),
    title: "A new lesson on order blocks",
    text: "The module SMC Course has a second lesson. It shows where large orders were filled, and when a zone is used up.",
    audience: "everyone",
    published_at: new Date(Date.now() - 24 * 3_600_000).toISOString(),
    edited_at: null,
    unread: true,
    older_unread: false,
    mailing: null,
  };
}

/** Returns the address of a picture in place of a sample lesson's film. */
export function demoFilm(title: string): string {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><rect width="640" height="360" fill="#0c1110"/><path d="M40 260 120 200 180 230 280 130 340 170 460 80 520 120 600 60" fill="none" stroke="#e2b358" stroke-width="3"/><text x="40" y="312" fill="#ece9e1" font-family="sans-serif" font-size="22">${title}</text><text x="40" y="338" fill="#a4aea9" font-family="sans-serif" font-size="14">A sample lesson: the real ones are films.</text></svg>`;
  return URL.createObjectURL(new Blob([picture], { type: "image/svg+xml" }));
}

const day = 24 * 3_600_000;

/** Returns the next two sample live sessions, some days after a time in milliseconds. */
export function demoLiveOccurrences(now: number): LiveOccurrence[] {
  return ["The week ahead", "Trade review"].map((title, index) => {
    const start = Math.ceil(now / day) * day + (1 + 3 * index) * day + 12 * 3_600_000;
    return {
      id: `00000000-0000-4000-8000-00000000005${index}`,
      session_id: `00000000-0000-4000-8000-00000000006${index}`,
      title,
      description: "The levels that matter, trades on the chart, and your questions.",
      starts_at: new Date(start).toISOString(),
      ends_at: new Date(start + 90 * 60_000).toISOString(),
      join_opens_at: new Date(start - 15 * 60_000).toISOString(),
      weekly: true,
      time_zone: "UTC",
      moved: false,
      cancelled: false,
      included: false,
      recording: null,
    };
  });
}
