import type { Page } from "@playwright/test";
import type { CoinPrice, FetchedPrice } from "../../../src/domain/api/payments/coin-prices.ts";
import type { MailFailure } from "../../../src/domain/api/mail/mail-failures.ts";
import { errors } from "../../../src/domain/errors/messages.ts";
import { wideScreen } from "../browser/axe.ts";
import { bip84Addresses, bip84Key } from "../domain/bitcoin-keys.ts";
import { adminScreen, openTab } from "./admin-screen.ts";
import { overviewScreens } from "./overview.ts";
import { dialogOn, emptied, keepWaiting, openPending, refuse, seen, type Screen } from "./screen.ts";
import { videoScreens } from "./videos.ts";

/** The queue beside the open request, which a narrow window has on a page of its own. */
const review = async (page: Page): Promise<void> => {
  await page.setViewportSize(wideScreen);
  await openTab(page, "payments");
};

const mailFailure = (index: number, recipient: string, reason: string): MailFailure => ({
  id: index,
  recipient,
  subject:
    index === 2 ? "Your Starter payment was approved: every lesson of the package is unlocked" : "Your Pipwright receipt",
  reason,
  created_at: `2026-11-2${index}T08:00:00.000Z`,
  failed_at: `2026-11-2${index}T08:00:04.000Z`,
  can_send_again: index !== 3,
});

/** Four given-up mails with texts that break no line by themselves, and two that wait. */
const failedMails = {
  items: [
    mailFailure(1, "dao.rattana@exampel.com", "Can't send mail: 550 5.1.1 No such mailbox"),
    mailFailure(2, `${"somchai-the-second-of-that-name.".repeat(3)}pattana@mail.example.com`, "552 5.2.2 Mailbox full"),
    mailFailure(3, "nok.suksawat@example.com", `554 5.7.1 Refused, see https://mail.example.com/${"policy".repeat(14)}`),
    mailFailure(4, "lek@example.com", "550 5.1.1 No such mailbox"),
  ],
  next_cursor: null,
  waiting: { count: 2, oldest_at: "2026-11-24T08:00:00.000Z", reason: "Invalid login: 535 5.7.8 Authentication failed" },
};

/** One price that nobody set and that was not refreshed, and an old one while the service does not reply. */
const coinPrices: { items: CoinPrice[]; refresh_seconds: number } = {
  items: [
    {
      coin: "bitcoin",
      usd: "45000",
      updated_at: null,
      updated_by: null,
      lowest_usd: "20000",
      highest_usd: "150000",
      public_usd: "64250.5",
      public_at: "2026-11-20T09:30:00.000Z",
      public_failed: false,
      warnings: ["never_set", "large_step", "off_public"],
    },
    {
      coin: "ethereum",
      usd: "2900",
      updated_at: "2026-11-18T09:30:00.000Z",
      updated_by: "admin",
      lowest_usd: null,
      highest_usd: null,
      public_usd: "3120.25",
      public_at: "2026-11-20T09:30:00.000Z",
      public_failed: true,
      warnings: ["off_public", "old"],
    },
  ],
  refresh_seconds: 900,
};
const fetchedPrices: FetchedPrice[] = [
  { coin: "bitcoin", before_usd: "45000", public_usd: "64250.5", kept: "large_step" },
  { coin: "ethereum", before_usd: "2900", public_usd: "3120.25", kept: null },
];

/** The tabs with rows, without, with forms and dialogs open. */
export const adminScreens: Screen[] = [
  adminScreen("loading", async (page) => {
    await keepWaiting(page, "**/api/stats*");
    await page.goto("/admin");
    await seen(page.getByText("Loading admin dashboard..."));
  }),
  ...overviewScreens,
  adminScreen("mails that failed", async (page) => {
    await page.route("**/api/mail-failures*", (route) => route.fulfill({ json: failedMails }));
    await review(page);
    await page.getByText("4 mails could not be sent").click();
    await seen(page.getByRole("button", { name: /^Send again to/ }).first());
    await seen(page.getByRole("button", { name: /^Reject the payment of/ }));
  }),
  adminScreen("payments", async (page) => {
    await review(page);
    await page.getByRole("link", { name: "chai.wongsa@example.com" }).click();
    await seen(page.getByRole("button", { name: /^Approve/ }));
    await seen(page.getByRole("img", { name: /^Screenshot of/ }));
    await seen(page.getByText("Similar screenshot"));
    await seen(page.getByText("Same screenshot"));
  }),
  adminScreen("payments, approved", async (page) => {
    await page.goto("/admin?tab=payments&status=approved");
    await seen(page.getByRole("rowheader"));
  }),
  adminScreen("payments, all", async (page) => {
    await page.goto("/admin?tab=payments&status=all");
    await seen(page.getByText("Similar screenshot"));
  }),
  adminScreen("payments, nothing found", async (page) => {
    await page.goto("/admin?tab=payments&status=rejected&search=nobody-has-this");
    await seen(page.getByText("No payment requests here"));
  }),
  adminScreen("payments, paid late", async (page) => {
    await page.route(/\/api\/payment-requests\/[\w-]{36}$/, async (route) => {
      const request = await (await route.fetch()).json();
      const claim = { amount_usd: "497", amount_crypto: "0.01104444", wallet_address: "bc1an-earlier-address" };
      await route.fulfill({ json: { ...request, paid_by_earlier_quote: { ...claim, quoted_at: request.created_at } } });
    });
    await review(page);
    await seen(page.getByText("Says they sent"));
  }),
  adminScreen("payments empty", async (page) => {
    await emptied(page, "**/api/payment-requests?*");
    await emptied(page, "**/api/payment-requests");
    await openTab(page, "payments");
    await seen(page.getByText("No payment request is waiting"));
  }),
  adminScreen("rejecting a payment", async (page) => {
    await openPending(page, "chai.wongsa@example.com");
    await page.getByRole("button", { name: /^Reject the payment of/ }).click();
    await dialogOn(page);
    await page.getByRole("button", { name: "Reject payment" }).click();
    await seen(page.getByText(errors.reason_missing.text));
  }),
  adminScreen("approving a downgrade", async (page) => {
    await openPending(page, "chai.wongsa@example.com");
    await page.getByRole("checkbox", { name: "I have seen the money arrive" }).check();
    await page.getByRole("button", { name: "Approve the payment of chai.wongsa@example.com" }).click();
    await dialogOn(page);
  }),
  adminScreen("the keys of the review", async (page) => {
    await review(page);
    await page.getByRole("button", { name: "Keys" }).click();
    await seen(page.getByRole("dialog", { name: "Keys" }));
  }),
  ...videoScreens,
  adminScreen("settings", async (page) => {
    await openTab(page, "settings");
    await seen(page.getByRole("button", { name: "Edit LUNCH" }));
    await seen(page.getByLabel("Bitcoin address"));
  }),
  adminScreen("settings, prices to look at", async (page) => {
    await page.route("**/api/coin-prices", (route) => route.fulfill({ json: coinPrices }));
    await page.route("**/api/coin-prices/fetch", (route) => route.fulfill({ json: { items: fetchedPrices } }));
    await openTab(page, "settings");
    await page.getByRole("button", { name: "Fetch and save both prices" }).click();
    await seen(page.getByRole("button", { name: "Save $64,250.5 for Bitcoin" }));
  }),
  adminScreen("prices to look at", async (page) => {
    await page.route("**/api/coin-prices", (route) => route.fulfill({ json: coinPrices }));
    await openTab(page, "payments");
    await seen(page.getByRole("button", { name: "Review prices" }));
  }),
  adminScreen("settings, changed and refused", async (page) => {
    await openTab(page, "settings");
    await page.getByLabel("Bitcoin address").fill("");
    await page.getByRole("button", { name: "Save settings" }).click();
    await seen(page.getByRole("tabpanel", { name: "Settings" }).getByRole("alert"));
  }),
  adminScreen("settings, before a save", async (page) => {
    await openTab(page, "settings");
    await page.getByLabel("Bitcoin address").fill("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2");
    await page.getByRole("button", { name: "Save settings" }).click();
    await dialogOn(page);
  }),
  adminScreen("settings, left with unsaved changes", async (page) => {
    await openTab(page, "settings");
    await page.getByLabel("Bitcoin address").fill("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2");
    await page.getByRole("tab", { name: "Users" }).click();
    await dialogOn(page);
  }),
  adminScreen("settings, a test mail", async (page) => {
    await openTab(page, "settings");
    await page.getByRole("button", { name: "Send a test mail to me" }).click();
    await seen(page.getByText(/^No mail server is set/));
  }),
  adminScreen("settings, environment", async (page) => {
    await openTab(page, "settings");
    await seen(page.getByRole("heading", { name: "Environment" }));
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Environment" }).click();
    await seen(page.getByText("PUBLIC_URL", { exact: true }));
  }),
  adminScreen("settings, editing a coupon", async (page) => {
    await openTab(page, "settings");
    await page.getByRole("button", { name: "Edit LUNCH" }).click();
    await seen(page.getByLabel("Most uses"));
  }),
  adminScreen("settings, an account's key", async (page) => {
    await openTab(page, "settings");
    await page.getByLabel("Bitcoin account key").fill(bip84Key);
    await seen(page.getByText(bip84Addresses[0]));
    await page.getByLabel("Give each payment last digits of its own").check();
  }),
  adminScreen("settings, a private key", async (page) => {
    await openTab(page, "settings");
    await page.getByLabel("Bitcoin account key").fill("zprv");
    await seen(page.getByText(/Never enter it anywhere/));
  }),
  adminScreen("settings, adding a coupon", async (page) => {
    await openTab(page, "settings");
    await page.getByRole("button", { name: "Add coupon" }).click();
    await page.getByRole("button", { name: "Save coupon" }).click();
    await seen(page.getByText(errors.coupon_empty.text));
  }),
  adminScreen("settings, deleting a coupon", async (page) => {
    await openTab(page, "settings");
    await page.getByRole("button", { name: "Delete LUNCH" }).click();
    await dialogOn(page);
  }),
  adminScreen("settings, error", async (page) => {
    await refuse(page, "**/api/wallet-settings");
    await openTab(page, "settings");
    await seen(page.getByText("The settings could not be loaded"));
  }),
];
