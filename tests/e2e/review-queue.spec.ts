import { randomBytes, randomInt } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { walletForm } from "../support/payments.ts";
import { pay } from "../support/sites/course.ts";
import { AdminSession, caller, joinSite, windowOf, type Call } from "../support/sites/members.ts";
import { receipt, someReceipt } from "../support/payment-requests/draw-receipt.ts";
import { printTable, watchDecisions, type Decision } from "../support/browser/decision-times.ts";
import { adminPassword, expect, startSite, test as base, type Site } from "../support/sites/site.ts";

interface Desk {
  site: Site;
  asAdmin: Call;
  /** The page of the admin, on the queue. */
  openQueue: (browser: Browser, options?: Parameters<Browser["newContext"]>[0]) => Promise<Page>;
}

/** A site of its own, since the whole queue is decided. */
const test = base.extend<object, { desk: Desk }>({
  desk: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const site = await startSite();
      try {
        const session = await AdminSession.of(site);
        const asAdmin = caller(site, session);
        await asAdmin("PUT", "/api/wallet-settings", { ...walletForm, current_password: adminPassword });
        const openQueue: Desk["openQueue"] = async (browser, options = {}) => {
          const context = await windowOf(browser, site, await session.forWindow(), { reducedMotion: "reduce", ...options });
          const page = await context.newPage();
          await page.goto("/admin?tab=payments");
          return page;
        };
        await use({ site, asAdmin, openQueue });
      } finally {
        await site.stop();
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

const methods = ["bitcoin", "ethereum", "thai_bank"];

/** Students with a pending request each, oldest first. Every tenth sends the screenshot of the one before. */
async function fillQueue({ site }: Desk, count: number, name: string): Promise<void> {
  let screenshot: Buffer | undefined;
  for (let index = 0; index < count; index += 1) {
    const student = await joinSite(site, `${name} ${index}`, true);
    const reference = String(randomInt(1e11, 1e12));
    const isCopy = index % 10 === 9;
    if (!isCopy)
      screenshot = await receipt({ ...someReceipt, reference })
        .png()
        .toBuffer();
    const method = methods[index % methods.length]!;
    const hash = (method === "ethereum" ? "0x" : "") + randomBytes(32).toString("hex");
    await pay(student, {
      package_type: index % 4 === 0 ? "advanced" : "starter",
      method,
      reference: method === "thai_bank" ? reference : hash,
      ...(screenshot && { screenshot }),
    });
  }
}

const heading = (page: Page, name: string) => page.getByRole("article").getByRole("heading", { name, exact: true, level: 2 });
const tick = (page: Page) => page.getByRole("checkbox", { name: /^I have seen the money arrive/ });
const pendingOf = async ({ asAdmin }: Desk): Promise<any[]> =>
  (await asAdmin("GET", "/api/payment-requests?status=pending&sort=oldest&limit=100")).items;

// REVIEW-1 to REVIEW-4
test("thirty payments are decided by keyboard alone", async ({ browser, desk }) => {
  test.setTimeout(600_000);
  // More than a page of the queue.
  const count = 30;
  await fillQueue(desk, count, "Student");
  const queue = await pendingOf(desk);
  expect(queue).toHaveLength(count);
  const page = await desk.openQueue(browser, { viewport: { width: 1440, height: 900 } });
  await expect(heading(page, queue[0].full_name)).toBeVisible();

  await test.step("a tick is remembered for its own request and no other", async () => {
    await page.keyboard.press("t");
    await expect(tick(page)).toBeChecked();
    await page.keyboard.press("j");
    await expect(heading(page, queue[1].full_name)).toBeFocused();
    await expect(tick(page)).not.toBeChecked();
    await page.keyboard.press("k");
    await expect(heading(page, queue[0].full_name)).toBeFocused();
    await expect(tick(page)).toBeChecked();
    await page.keyboard.press("t");
    await expect(tick(page)).not.toBeChecked();
  });
  await test.step("a flagged payment asks once more, naming the flag", async () => {
    const flagged = queue.findIndex((one) => one.flagged);
    await page.goto(`/admin?tab=payments&request=${queue[flagged].id}`);
    await expect(heading(page, queue[flagged].full_name)).toBeVisible();
    await page.keyboard.press("t");
    await page.keyboard.press("a");
    await expect(page.getByRole("alertdialog", { name: "Look again" })).toContainText("Same screenshot");
    await page.goto("/admin?tab=payments");
    await expect(heading(page, queue[0].full_name)).toBeVisible();
  });

  const wanted = new Map<string, string>();
  const decisions: Decision[] = [];
  const watch = await watchDecisions(page);
  for (const [index, { id, full_name, flagged }] of queue.entries()) {
    const isRejected = index % 7 === 6;
    wanted.set(id, isRejected ? "rejected" : "approved");
    if (index > 0) await expect(heading(page, full_name)).toBeFocused();
    // It never carries over.
    await expect(tick(page)).not.toBeChecked();
    const kind = isRejected ? "rejected" : flagged ? "approved, flagged" : "approved, clean";
    const isLast = index === count - 1;
    const keys = isRejected ? ["r", "1", "Enter"] : flagged ? ["t", "a", "Tab", "Enter"] : ["t", "a"];
    decisions.push(
      await watch(kind, isLast ? undefined : queue[index + 1].full_name, async (press) => {
        // No key waits for what the one before has opened.
        await Promise.all(keys.map(press));
      }),
    );
  }
  await expect(page.getByText("No payment request is waiting")).toBeVisible();
  printTable(decisions);
  await expect.poll(() => pendingOf(desk)).toEqual([]);
  const decided = new Map<string, string>();
  for (const status of ["approved", "rejected"]) {
    const { items } = await desk.asAdmin("GET", `/api/payment-requests?status=${status}&limit=100`);
    for (const request of items) decided.set(request.id, request.status);
  }
  expect(Object.fromEntries(decided)).toEqual(Object.fromEntries(wanted));
  await page.context().close();
});

// REVIEW-5, REVIEW-6
test("a decision is undone by its toast, and one of another window shows up at once", async ({ browser, desk }) => {
  await fillQueue(desk, 3, "Regret");
  const [first, second] = await pendingOf(desk);
  const page = await desk.openQueue(browser, { viewport: { width: 1440, height: 900 } });
  await expect(heading(page, first.full_name)).toBeVisible();
  await page.keyboard.press("t");
  await page.keyboard.press("a");
  await expect(heading(page, second.full_name)).toBeFocused();
  await page
    .getByRole("dialog", { name: `Approved: ${first.email}` })
    .getByRole("button", { name: "Undo" })
    .click();
  await expect(heading(page, first.full_name)).toBeFocused();
  await expect(page.getByRole("article").getByText("pending", { exact: true })).toBeVisible();
  await expect(page.getByText("in another window")).toHaveCount(0);
  await test.step("its undo is no decision of another window while it is open", async () => {
    const row = page.getByRole("navigation", { name: "Pending payment requests" }).getByRole("link", { name: first.full_name });
    await row.hover();
    await page.keyboard.press("a");
    await expect(heading(page, second.full_name)).toBeFocused();
    await row.click();
    await expect(page.getByRole("article").getByText("approved", { exact: true })).toBeVisible();
    await page.keyboard.press("u");
    await expect(page.getByRole("button", { name: `Approve the payment of ${first.email}` })).toBeVisible();
    await expect(page.getByText("in another window")).toHaveCount(0);
  });
  // The pictures are the same, so the tick still holds; it is set by no one else.
  await desk.asAdmin("POST", `/api/payment-requests/${first.id}/reject`, { reason: "Nothing has arrived." });
  await expect(page.getByRole("status").filter({ hasText: "Rejected in another window" })).toBeVisible();
  await expect(heading(page, first.full_name)).toBeFocused();

  await test.step("it is reopened with a reason", async () => {
    await page.getByRole("button", { name: `Reopen the payment of ${first.email}` }).click();
    const dialog = page.getByRole("alertdialog", { name: "Reopen this payment" });
    await dialog.getByLabel("Reason").fill("It has arrived after all.");
    await dialog.getByRole("button", { name: "Reopen payment" }).click();
    await expect(page.getByRole("button", { name: `Approve the payment of ${first.email}` })).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("in another window")).toHaveCount(0);
  });
  for (const { id } of await pendingOf(desk)) {
    await desk.asAdmin("POST", `/api/payment-requests/${id}/reject`, { reason: "The end of this journey." });
  }
  await page.context().close();
});

test("single keys can be switched off, and stay off", async ({ browser, desk }) => {
  await fillQueue(desk, 1, "Quiet");
  const [{ full_name, id }] = await pendingOf(desk);
  const page = await desk.openQueue(browser, { viewport: { width: 1440, height: 900 } });
  await expect(heading(page, full_name)).toBeVisible();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await help.getByRole("checkbox", { name: "Keys without Ctrl or Alt are on" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await page.reload();
  await expect(heading(page, full_name)).toBeVisible();
  await page.keyboard.press("t");
  await page.keyboard.press("r");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(tick(page)).not.toBeChecked();
  await test.step("nor does a slash lead to the search of any list", async () => {
    for (const tab of ["payments", "users", "settings", "audit"]) {
      await page.goto(`/admin?tab=${tab}`);
      await expect(page.getByRole("searchbox")).toBeVisible();
      await page.keyboard.press("/");
      await expect(page.getByRole("searchbox")).not.toBeFocused();
    }
  });
  await desk.asAdmin("POST", `/api/payment-requests/${id}/reject`, { reason: "The end of this journey." });
  await page.context().close();
});

test("on a phone a request is decided by one thumb, and the next one comes up", async ({ browser, desk }) => {
  await fillQueue(desk, 2, "Phone");
  await fillQueue(desk, 1, "Other");
  const [first, second, other] = await pendingOf(desk);
  const page = await desk.openQueue(browser, { viewport: { width: 390, height: 844 }, hasTouch: true });
  const item = page.getByRole("navigation", { name: "Pending payment requests" }).getByRole("link", { name: first.full_name });
  await test.step("the filters are behind a button that counts those set", async () => {
    await expect(item).toBeInViewport({ ratio: 1 });
    const method = page.getByRole("combobox", { name: "Method" });
    await expect(method).toBeHidden();
    await page.getByRole("button", { name: "Filters", exact: true }).tap();
    await method.selectOption("bitcoin");
    await page.getByRole("button", { name: "Filters · 1" }).tap();
    await expect(method).toBeHidden();
    await page.goto("/admin?tab=payments&search=Phone");
  });
  await item.tap();
  await expect(page).toHaveURL(new RegExp(`/admin/payments/${first.id}\\?search=Phone$`));
  const approve = page.getByRole("button", { name: /^Approve the payment of/ });
  const { y = 0 } = (await approve.boundingBox()) ?? {};
  // In reach of the thumb: in the lowest quarter of the screen, before anything is scrolled.
  expect(y).toBeGreaterThan(844 * 0.75);
  await tick(page).tap();
  await approve.tap();
  await expect(page).toHaveURL(new RegExp(`/admin/payments/${second.id}\\?search=Phone$`));
  await expect(page.getByRole("heading", { level: 1, name: second.full_name })).toBeFocused();
  await expect(tick(page)).not.toBeChecked();
  await page.getByRole("button", { name: /^Reject the payment of/ }).tap();
  await page.getByLabel("Reason", { exact: true }).fill("Nothing has arrived.");
  await page.getByRole("button", { name: "Reject payment" }).tap();
  await expect(page).toHaveURL(/\/admin\?tab=payments&search=Phone$/);
  await expect(page.getByText("No payment request is waiting")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await desk.asAdmin("POST", `/api/payment-requests/${other.id}/reject`, { reason: "The end of this journey." });
  await page.context().close();
});
