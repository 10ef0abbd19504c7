import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Browser, BrowserContext } from "@playwright/test";
import sharp from "sharp";
import { maxUploadBytes } from "../../../src/domain/files/buckets.ts";
import { AdminSession, caller, joinSite, LastingSession, windowOf, type Call, type Member } from "./members.ts";
import { test as base } from "../browser/windows.ts";
import { receipt as drawnReceipt, someReceipt } from "../payment-requests/draw-receipt.ts";
import { adminPassword, startSite, type Site } from "./site.ts";

/** Who may sit at the browser: nobody, the admin, or a student by how they stand. */
export type Role = "visitor" | "unverified" | "unpaid" | "waiting" | "starter" | "advanced" | "admin";

/** A running site with films, wallets, students and payment requests in every state. */
export interface Course {
  site: Site;
  /** A browser window in which that person is signed in. */
  windowOf(role: Role, browser: Browser): Promise<BrowserContext>;
  /** A new account; unverified unless told. */
  join(fullName: string, isVerified?: boolean): Promise<Member>;
  asAdmin: Call;
}

export const receipt = join(import.meta.dirname, "../payment-requests/receipt.png");
export const lessonsAddress = "https://films.example.com/lesson";

const wallets = {
  bitcoin_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  ethereum_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  bitcoin_price_usd: "45000",
  ethereum_price_usd: "3000",
  thai_bank_name: "Kasikornbank",
  thai_bank_account_number: "012-3-45678-9",
  thai_bank_account_name: "Pipwright Co., Ltd.",
  promptpay_id: "0812345678",
};
const films = [
  { title: "What a pip is, and what it costs", module: "Forex Basics", package_type: "both" },
  { title: "Order blocks that hold", module: "SMC Course", package_type: "starter" },
  { title: "Counting a correction", module: "Elliott Wave", package_type: "advanced" },
  { title: "Size from the stop", module: "Risk Management", package_type: "starter" },
  { title: "The journal", module: "Psychology", package_type: "starter" },
  { title: "A morning in London", module: "Live Trading", package_type: "advanced" },
  { title: "A module of our own", module: "Office hours", package_type: "both" },
];

/** A bank's receipt like no other. */
export const freshReceipt = (): Promise<Buffer> =>
  drawnReceipt({ ...someReceipt, reference: String(randomInt(1e11, 1e12)) })
    .png()
    .toBuffer();

interface Payment {
  package_type: "starter" | "advanced";
  method: string;
  coupon?: string;
  screenshot?: Buffer;
  /** Drawn unless given; none with a coupon. */
  reference?: string;
}

/** Quote, screenshot, submit; returns the request. */
export async function pay(
  member: Member,
  { package_type, method, coupon, screenshot, ...given }: Payment,
): Promise<{ id: string }> {
  const quote = await member.call("POST", "/api/quotes", { package_type, coupon_code: coupon });
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(screenshot ?? (await freshReceipt()))], { type: "image/png" }), "receipt.png");
  const { upload_id } = await member.call("POST", "/storage/v1/object/payment-screenshots", form);
  const hash = (method === "ethereum" ? "0x" : "") + randomBytes(32).toString("hex");
  const reference = given.reference ?? (coupon === undefined ? hash : null);
  const body = { quote_id: quote.id, crypto_type: method, upload_id, consent: true, reference };
  return member.call("POST", "/api/payment-requests", body, { "idempotency-key": randomUUID() });
}

/** Makes a fresh site a course; `hasFilms` where the films of the sample course stand already. */
export async function fillCourse(site: Site, { hasFilms = false } = {}): Promise<Course> {
  const adminSession = await AdminSession.of(site);
  const asAdmin = caller(site, adminSession);
  const joinCourse = (fullName: string, isVerified = false): Promise<Member> => joinSite(site, fullName, isVerified);

  await asAdmin("PUT", "/api/wallet-settings", { ...wallets, current_password: adminPassword });
  for (const [index, film] of hasFilms ? [] : films.entries()) {
    const description = "What the lesson shows, in two lines: the setup, the entry, and the reason to stay out.";
    await asAdmin("POST", "/api/videos", {
      ...film,
      description,
      order_index: index + 1,
      video_url: `${lessonsAddress}-${index}`,
    });
  }
  const leaver = await joinCourse("Mali Suwan", true);
  const unpaid = await joinCourse("Anan Srisuk", true);
  const starter = await joinCourse("Busaba Kittikul", true);
  const advanced = await joinCourse("Chai Wongsa", true);
  const waiting = await joinCourse("Dao Rattana", true);
  const unverified = await joinCourse("Ek Boonmee");

  await pay(leaver, { package_type: "starter", method: "bitcoin" });
  await asAdmin("DELETE", `/functions/v1/admin-users?userId=${leaver.session.user.id}`);
  const [busabas, daos] = [await freshReceipt(), await freshReceipt()];
  const bought = [
    await pay(starter, { package_type: "starter", method: "thai_bank", coupon: "LUNCH", screenshot: busabas }),
    await pay(advanced, { package_type: "advanced", method: "ethereum", coupon: "LUNCH" }),
  ];
  // An approval of this one would lower a tier, which asks first; and its screenshot is another student's, saved again.
  const copied = await sharp(busabas).jpeg().toBuffer();
  await pay(advanced, { package_type: "starter", method: "bitcoin", screenshot: copied });
  for (const { id } of bought) await asAdmin("POST", `/api/payment-requests/${id}/approve`, {});
  const refused = await pay(waiting, { package_type: "advanced", method: "ethereum", screenshot: daos });
  await asAdmin("POST", `/api/payment-requests/${refused.id}/reject`, { reason: "The amount on the screenshot is too low." });
  await pay(waiting, { package_type: "starter", method: "bitcoin", coupon: "LUNCH", screenshot: daos });

  const lasting = ({ session }: Member) => new LastingSession(site, session);
  const sessions: Record<Exclude<Role, "visitor">, LastingSession> = {
    admin: adminSession,
    unverified: lasting(unverified),
    unpaid: lasting(unpaid),
    waiting: lasting(waiting),
    starter: lasting(starter),
    advanced: lasting(advanced),
  };
  return {
    site,
    asAdmin,
    join: joinCourse,
    windowOf: async (role, browser) => {
      const session = role === "visitor" ? undefined : await sessions[role].forWindow();
      return windowOf(browser, site, session, { reducedMotion: "reduce" });
    },
  };
}

/** A test gets the course, made once for all tests of one worker. */
export const test = base.extend<object, { course: Course }>({
  course: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      // The quoted text of a screenshot that is too large names 5 GB.
      const site = await startSite({ MAX_SCREENSHOT_BYTES: String(maxUploadBytes) });
      try {
        await use(await fillCourse(site));
      } finally {
        await site.stop();
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],
  actionTimeout: 60_000,
  baseURL: async ({ course }, use) => use(course.site.url),
});

export { expect } from "@playwright/test";
