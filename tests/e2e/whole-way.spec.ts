import type { Page } from "@playwright/test";
import { expect, screenshotPicker, submitButton, test, type Shop } from "../support/browser/checkout.ts";
import { receipt } from "../support/sites/course.ts";
import { fingersOn, keysOn, type Hands } from "../support/browser/counted-user.ts";
import { browserStateOf, joinSite } from "../support/sites/members.ts";
import { goodPassword } from "../support/people.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** What Advanced costs with LUNCH, by bank; no other sum has a place on the way from there. */
const rightFigures = ["$997", "$697.9", "$299.1", "10,468.50 THB"];

async function expectRightFigures(page: Page): Promise<void> {
  const text = await page.getByRole("main").innerText();
  const figures = text.match(/\$[\d,.]*\d|[\d,.]*\d (?:THB|BTC|ETH)/g) ?? [];
  expect(figures.filter((figure) => !rightFigures.includes(figure))).toEqual([]);
}

/** Each step, from its heading to its last button, fits between the header and the bar with the amount. */
async function expectStepsFit(page: Page): Promise<void> {
  const header = (await page.getByRole("banner").boundingBox())!.height;
  const bar = (await page.locator("[data-bottom-bar]").boundingBox())!.height;
  for (const name of ["Order summary", "Payment details", "Submit your payment"]) {
    const { height } = (await region(page, name).boundingBox())!;
    expect(height, name).toBeLessThanOrEqual(page.viewportSize()!.height - header - bar);
  }
}

/** Amount and countdown can be seen, wherever the page is scrolled to. */
async function expectSumInView(page: Page): Promise<void> {
  for (const name of ["Order summary", "Payment details", "Submit your payment"]) {
    await region(page, name).scrollIntoViewIfNeeded();
    await expect(page.getByText("10,468.50 THB", { exact: true }).first()).toBeInViewport();
    await expect(page.getByRole("timer")).toBeInViewport();
  }
}

/** From the landing page to the first lesson, with one rejection on the way. */
async function wholeWay(page: Page, hands: Hands, shop: Shop, email: string): Promise<void> {
  const newest = async (): Promise<string> => (await shop.asAdmin("GET", `/api/payment-requests?search=${email}`)).items[0].id;

  await test.step("chooses Advanced, signs up and enters the mailed code", async () => {
    await page.goto("/");
    await hands.press(page.getByRole("link", { name: "Choose Advanced" }));
    await hands.type(page.getByLabel("Full Name"), "Nok Buyer");
    await hands.type(page.getByLabel("Email"), email);
    await hands.type(page.getByLabel("Password", { exact: true }), goodPassword);
    await hands.press(page.getByRole("button", { name: "Create Account" }));
    const code = page.getByRole("textbox", { name: "Verification code" });
    await expect(code).toBeFocused();
    await hands.type(code, await shop.site.codeFor(email));
    await hands.press(page.getByRole("button", { name: "Verify Email" }));
    await expect(heading(page, "Advanced package")).toBeVisible();
  });

  await test.step("pays by PromptPay with LUNCH", async () => {
    await hands.press(page.getByRole("button", { name: "Use code LUNCH" }));
    await expect(page.getByText("Coupon LUNCH applied: 70% off.")).toBeVisible();
    await hands.choose(page.getByRole("radio", { name: "Thai Bank Transfer" }), page.getByRole("radio", { name: "Bitcoin" }));
    await expect(region(page, "Payment details")).toContainText("10,468.50 THB");
    await expect(page.getByRole("img", { name: "PromptPay QR code for 10,468.50 THB" })).toBeVisible();
    await expect(page.getByText("You have sent")).toBeHidden();
    await expectRightFigures(page);
    if (page.viewportSize()!.width < 400) {
      await expectStepsFit(page);
      await expectSumInView(page);
    }
    await hands.pick(screenshotPicker(page), receipt);
    await hands.tick(page.getByRole("checkbox", { name: "I have read" }));
    await expect(page.getByText("You have sent")).toBeVisible();
    await expectRightFigures(page);
    await hands.press(submitButton(page));
    await expect(heading(page, "Payment Submitted!")).toBeFocused();
    await expectRightFigures(page);
  });
  console.log(`    submitted after ${hands.count()}`);

  await test.step("is rejected, and submits again", async () => {
    const id = await newest();
    await shop.asAdmin("POST", `/api/payment-requests/${id}/reject`, { reason: "The screenshot is cut off." });
    await expect(page.getByText("Reason: The screenshot is cut off.")).toBeVisible();
    await hands.press(page.getByRole("button", { name: "Submit again for Advanced" }));
    await expect(region(page, "Your payment")).toContainText("10,468.50 THB");
    await expectRightFigures(page);
    await hands.pick(screenshotPicker(page), receipt);
    await hands.press(submitButton(page));
    await expect(heading(page, "Payment Submitted!")).toBeFocused();
    await expectRightFigures(page);
    expect(await newest()).not.toBe(id);
  });

  await test.step("is approved, and opens the first lesson", async () => {
    await shop.asAdmin("POST", `/api/payment-requests/${await newest()}/approve`, {});
    await expect(page.getByText("Approved: your Advanced package is unlocked")).toBeVisible();
    await hands.press(page.getByRole("link", { name: "Return to Dashboard" }));
    await expect(page.getByRole("banner").getByText("Advanced Package")).toBeVisible();
    const lesson = page.waitForEvent("popup");
    await hands.press(page.getByRole("button", { name: "Start lesson one" }));
    await (await lesson).waitForURL(/robots\.txt$/);
  });
  console.log(`    in the first lesson after ${hands.count()}`);
}

test.use({
  contextOptions: { reducedMotion: "reduce" },
  storageState: { cookies: [], origins: [] },
  setup: { environment: {}, wallets: { promptpay_id: "0812345678" } },
});
test.setTimeout(240_000);

test.beforeEach(async ({ shop, site }) => {
  const film = { title: "Lesson", description: "The first.", module: "Forex Basics", package_type: "advanced", order_index: 1 };
  await shop.asAdmin("POST", "/api/videos", { ...film, video_url: `${site.url}/robots.txt` });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a buyer gets from the landing page to the first lesson, past one rejection", async ({ page, shop }) => {
    await wholeWay(page, fingersOn(page), shop, "nok.fingers@example.com");
  });
});

test("a buyer without a mouse gets from the landing page to the first lesson", async ({ page, shop }) => {
  await wholeWay(page, keysOn(page), shop, "nok.keys.only@example.com");
});

// Two tabs, in every state in which there is nothing to pay (PAY-6, PAY-9).
test("two payment pages offer nothing to pay once it is requested, and once owned", async ({ page, context, shop, site }) => {
  const member = await joinSite(site, "Nok Two Tabs", true);
  const state = browserStateOf(site, member.session);
  await page.goto("/robots.txt");
  await page.evaluate(
    (entries) => entries.forEach(({ name, value }) => localStorage.setItem(name, value)),
    state.origins[0]!.localStorage,
  );
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto("/payment");
    await submitButton(tab).waitFor();
  }
  const nothingToPay = async (text: string): Promise<void> => {
    for (const tab of [page, other]) {
      await expect(tab.getByText(text)).toBeVisible();
      for (const gone of [submitButton(tab), tab.getByRole("img"), tab.getByText("bc1q"), tab.getByRole("radio")]) {
        await expect(gone).toHaveCount(0);
      }
    }
  };
  const refusalOf = (package_type: string): Promise<string> =>
    member.call("POST", "/api/quotes", { package_type }).then(
      () => "none",
      (error: Error) => error.message,
    );

  await screenshotPicker(page).setInputFiles(receipt);
  await page.getByRole("checkbox").check();
  await submitButton(page).click();
  await nothingToPay("There is nothing more to pay.");
  expect(await refusalOf("starter")).toContain("payment_request_open");

  const setTier = (newRole: string): Promise<unknown> =>
    shop.asAdmin("PUT", "/functions/v1/admin-users", { userId: member.session.user.id, newRole });
  const [{ id }] = await shop.requestsOf(member);
  await shop.asAdmin("POST", `/api/payment-requests/${id}/approve`, {});
  for (const tab of [page, other]) await tab.goto("/payment");
  await nothingToPay("You already have the Starter package.");
  expect(await refusalOf("starter")).toContain("package_owned");

  for (const tab of [page, other]) {
    await tab.goto("/payment?package=advanced");
    await submitButton(tab).waitFor();
  }
  await setTier("advanced");
  await nothingToPay("You already have the Advanced package.");
  for (const type of ["starter", "advanced"]) expect(await refusalOf(type)).toContain("package_owned");
});
