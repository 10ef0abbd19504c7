import type { Locator, Page } from "@playwright/test";
import { expect, openPayment, screenshotPicker, submitButton, test } from "../support/browser/checkout.ts";
import { receipt } from "../support/sites/course.ts";
import { adminSessionOf, windowOf } from "../support/sites/members.ts";

const longName = "X".repeat(100);
const longTitle = "W".repeat(120);
const longModule = "M".repeat(100);
const longReason = `See https://mempool.space/tx/${"a".repeat(64)} for what has arrived.`;

async function expectNoSidewaysScroll(page: Page, widths: number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(excess, `${page.url()} at ${width} px`).toBe(0);
  }
}

async function expectInside(dialog: Locator, text: string): Promise<void> {
  await expect(dialog).toContainText(text);
  const excess = await dialog.evaluate((popup) => popup.scrollWidth - popup.clientWidth);
  expect(excess, `${text} in ${dialog.page().viewportSize()?.width} px`).toBe(0);
}

test("a name and a reason without a space fit the student's and admin's window", async ({
  page,
  browser,
  site,
  shop,
  buyer,
}) => {
  await page.route("**/api/me", async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), full_name: longName } });
  });
  await openPayment(page);
  await screenshotPicker(page).setInputFiles(receipt);
  await page.getByRole("checkbox").check();
  await submitButton(page).click();
  await page.getByRole("link", { name: "Return to Dashboard" }).click();
  const [request] = await shop.requestsOf(buyer);
  await shop.asAdmin("POST", `/api/payment-requests/${request.id}/reject`, { reason: longReason });
  await expect(page.getByRole("alert")).toContainText(`Reason: ${longReason}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(longName);
  await expectNoSidewaysScroll(page, [320, 768, 1024]);
  // The narrowest and a window of 1440 px at 200%: the name is cut off instead of taking a second row.
  for (const width of [640, 720]) {
    await page.setViewportSize({ width, height: 800 });
    expect((await page.getByRole("banner").boundingBox())?.height).toBeLessThan(70);
  }
  await openPayment(page);
  await expectNoSidewaysScroll(page, [320, 768, 1024]);

  const admin = await windowOf(browser, site, await adminSessionOf(site));
  const desk = await admin.newPage();
  await desk.route(/\/api\/payment-requests\?|\/api\/users\?/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({
      response: reply,
      body: (await reply.text()).replaceAll(/"full_name":"[^"]*"/g, `"full_name":"${longName}"`),
    });
  });
  await desk.goto("/admin?tab=payments&status=rejected");
  await expect(desk.getByText(longReason)).toBeVisible();
  await expectNoSidewaysScroll(desk, [320, 1024, 1440]);
  await desk.setViewportSize({ width: 1024, height: 800 });
  const submitted = desk.getByRole("row").filter({ hasText: longReason }).getByRole("time");
  expect(await submitted.evaluate((time) => time.getClientRects().length)).toBe(1);
  await desk.getByRole("tab", { name: "Users" }).click();
  await expect(desk.getByRole("tabpanel", { name: "Users" }).getByRole("rowheader", { name: longName }).nth(0)).toBeVisible();
  await expectNoSidewaysScroll(desk, [320, 1024, 1440]);
});

test("a title and a module without a space fit the lessons and their questions", async ({ page, browser, site, shop }) => {
  const ids: string[] = [];
  for (const module of [longModule, "Other"]) {
    const video = { title: longTitle, module, description: longReason, package_type: "both", order_index: 1 };
    ids.push((await shop.asAdmin("POST", "/api/videos", { ...video, video_url: "https://films.example/1" })).id);
  }
  await page.goto("/student");
  await expect(page.getByRole("article", { name: longTitle })).toHaveCount(2);
  await expectNoSidewaysScroll(page, [320, 390, 1440]);
  await page.goto(`/watch/${ids[0]}`);
  await expect(page.getByRole("heading", { level: 1, name: longTitle })).toBeVisible();
  await expectNoSidewaysScroll(page, [320, 390, 1440]);

  const admin = await windowOf(browser, site, await adminSessionOf(site));
  const desk = await admin.newPage();
  const question = desk.getByRole("alertdialog");
  for (const width of [320, 820, 1440]) {
    await desk.setViewportSize({ width, height: 800 });
    await desk.goto("/admin?tab=videos");
    await desk
      .getByRole("button", { name: `Delete ${longTitle}` })
      .first()
      .click();
    await expectInside(question, longTitle);
    await question.getByRole("button", { name: "Cancel" }).click();
    await desk.getByRole("button", { name: "Other", exact: true }).click();
    await desk.keyboard.type(longModule);
    await desk.keyboard.press("Enter");
    await expectInside(question, longModule);
  }
  await admin.close();
  await shop.asAdmin("POST", "/api/videos/delete", { ids });
});
