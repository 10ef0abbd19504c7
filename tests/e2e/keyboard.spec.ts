import type { Locator, Page } from "@playwright/test";
import { errors } from "../../src/domain/errors/messages.ts";
import { expect, receipt, test } from "../support/sites/course.ts";
import { expectDashboard } from "../support/browser/dashboard.ts";
import { joinSite } from "../support/sites/members.ts";
import { expectFault, tabTo } from "../support/browser/keyboard.ts";
import { confirmDeletion } from "../support/browser/delete-user.ts";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const status = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

test("a whole purchase without a mouse", async ({ browser, course }) => {
  test.setTimeout(120_000);
  const context = await course.windowOf("visitor", browser);
  const page = await context.newPage();
  const { keyboard } = page;
  // Choosers are taken from the first listener on; one added just before the key may come too late.
  page.on("filechooser", () => {});

  await test.step("from the landing page to the sign-up", async () => {
    await page.goto("/");
    await tabTo(page, page.getByRole("link", { name: "Start Learning Now" }));
    await keyboard.press("Enter");
    await expect(heading(page, "Welcome Back")).toBeVisible();
    await tabTo(page, button(page, "Sign up"));
    await keyboard.press("Enter");
    await expect(heading(page, "Create Account")).toBeFocused();
  });

  await test.step("signs up; the field says what is wrong with it", async () => {
    await tabTo(page, page.getByLabel("Full Name"));
    await keyboard.type("Nok Keys");
    await tabTo(page, page.getByLabel("Email"));
    await keyboard.type("owner@example.com");
    await tabTo(page, page.getByLabel("Password", { exact: true }));
    await keyboard.type("a fine long password");
    await keyboard.press("Enter");
    await expectFault(page.getByLabel("Email"), errors.email_reserved.text);
    await expect(page.getByLabel("Email")).toBeFocused();
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("nok.keys@example.com");
    await keyboard.press("Enter");
  });

  await test.step("types a wrong code, then the one that was mailed", async () => {
    const box = page.getByRole("textbox", { name: "Verification code" });
    await expect(box).toBeFocused();
    await keyboard.type("000000");
    await tabTo(page, button(page, "Verify Email"));
    await keyboard.press("Enter");
    await expect(page.getByRole("alert")).toHaveText(errors.verification_code_invalid.text);
    await expectFault(box, errors.verification_code_invalid.text);
    await expect(box).toBeFocused();
    await keyboard.type(await course.site.codeFor("nok.keys@example.com"));
    await tabTo(page, button(page, "Verify Email"));
    await keyboard.press("Enter");
    await expectDashboard(page);
    await expect(heading(page, "Welcome back, Nok Keys!")).toBeFocused();
  });

  await test.step("skips the header and chooses Starter", async () => {
    await tabTo(page, page.getByRole("link", { name: "Skip to content" }), "Shift+Tab");
    await keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
    await tabTo(page, page.getByRole("link", { name: "Buy Starter Package" }));
    await keyboard.press("Enter");
    await expect(heading(page, "Starter package")).toBeFocused();
  });

  await test.step("closes the offer, tries a coupon that is none, then LUNCH", async () => {
    await tabTo(page, button(page, "Dismiss"), "Shift+Tab");
    await keyboard.press("Enter");
    const coupon = page.getByLabel("Coupon code");
    await tabTo(page, coupon);
    await keyboard.type("nope");
    await keyboard.press("Enter");
    await expectFault(coupon, errors.coupon_invalid.text);
    await expect(coupon).toBeFocused();
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("lunch");
    await keyboard.press("Enter");
    await expect(status(page, "Coupon LUNCH applied: 50% off.")).toBeVisible();
    await expect(coupon).toBeFocused();
  });

  await test.step("chooses the method by the arrow keys", async () => {
    await tabTo(page, page.getByRole("radio", { name: "Bitcoin" }));
    await keyboard.press("ArrowDown");
    await expect(page.getByRole("radio", { name: "Ethereum" })).toBeChecked();
    await expect(page.getByRole("heading", { name: "Ethereum payment" })).toBeVisible();
    await keyboard.press("ArrowDown");
    await expect(page.getByRole("heading", { name: "Thai Bank Transfer payment" })).toBeVisible();
    await keyboard.press("ArrowUp");
  });

  await test.step("chooses the screenshot, agrees and submits", async () => {
    for (const [key, file] of [
      ["Enter", { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") }],
      ["Space", receipt],
    ] as const) {
      const picker = page.locator('input[type="file"]');
      if (key === "Enter") await tabTo(page, picker);
      const chooser = page.waitForEvent("filechooser");
      await keyboard.press(key);
      await (await chooser).setFiles(file);
      if (key === "Enter") await expectFault(picker, errors.screenshot_type_invalid.text);
      await expect(picker).toBeFocused();
    }
    const consent = page.getByRole("checkbox");
    await tabTo(page, consent);
    await keyboard.press("Space");
    await expect(consent).toBeChecked();
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route("**/api/payment-requests", async (route) => {
      await held;
      await route.fallback();
    });
    await tabTo(page, button(page, "Submit Payment Request"));
    await keyboard.press("Enter");
    await expect(status(page, "Submitting your payment request")).toBeAttached();
    goOn();
    await expect(heading(page, "Payment Submitted!")).toBeFocused();
  });

  await test.step("goes back to the dashboard", async () => {
    await tabTo(page, page.getByRole("link", { name: "Return to Dashboard" }));
    await keyboard.press("Enter");
    await expectDashboard(page);
    await expect(heading(page, "Welcome back, Nok Keys!")).toBeFocused();
    await expect(page.getByRole("article", { name: "Your Starter payment" }).getByText("Waiting for approval")).toBeVisible();
  });
  await context.close();
});

// KEYS-1
test("the first stop of every page leads past its header", async ({ browser, course }) => {
  const context = await course.windowOf("visitor", browser);
  const page = await context.newPage();
  for (const path of ["/", "/auth", "/no-such-page"]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await tabTo(page, page.getByRole("link", { name: "Skip to content" }), path === "/auth" ? "Shift+Tab" : "Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/#pricing");
  const top = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.y ?? 0;
  const header = await page.getByRole("banner").boundingBox();
  await expect.poll(() => top(page.locator("#pricing"))).toBeGreaterThanOrEqual(header?.height ?? 0);
  await expect.poll(() => top(page.locator("#pricing"))).toBeLessThan(200);
  await context.close();
});

// KEYS-2, KEYS-3, USER-3
test("after a user is deleted the focus stays with the list", async ({ browser, course }) => {
  const { email } = await joinSite(course.site, "Gone Soon");
  const context = await course.windowOf("admin", browser);
  const page = await context.newPage();
  await page.goto("/admin?tab=users");
  await button(page, `Delete ${email}`).click();
  await confirmDeletion(page);
  await expect(button(page, `Delete ${email}`)).toHaveCount(0);
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
  await context.close();
});

test("a failed submit is announced, and the button has the focus again", async ({ browser, course }) => {
  const context = await course.windowOf("unpaid", browser);
  const page = await context.newPage();
  await page.route("**/api/payment-requests", (route) =>
    route.fulfill({ status: 400, json: { error: "", code: "unexpected" } }),
  );
  await page.goto("/payment");
  await page.locator('input[type="file"]').setInputFiles(receipt);
  await page.getByRole("checkbox").check();
  await tabTo(page, button(page, "Submit Payment Request"));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: errors.payment_submit_failed.text })).toBeVisible();
  await expect(button(page, "Submit Payment Request")).toBeFocused();
  await context.close();
});

test("a dialog keeps the focus and returns it when it closes", async ({ browser, course }) => {
  const context = await course.windowOf("admin", browser);
  const page = await context.newPage();
  await page.goto("/admin?tab=users&search=busaba");
  const opener = button(page, "Delete busaba.kittikul@example.com");
  await tabTo(page, opener);
  const dialog = page.getByRole("alertdialog", { name: "Delete user" });
  for (const leave of ["Escape", "Enter"]) {
    await page.keyboard.press("Enter");
    await expect(dialog.locator(":focus")).toHaveCount(1);
    for (let stop = 0; stop < 6; stop++) {
      await page.keyboard.press("Tab");
      await expect(dialog.locator(":focus")).toHaveCount(1);
    }
    if (leave === "Enter") await tabTo(page, dialog.getByRole("button", { name: "Cancel" }));
    await page.keyboard.press(leave);
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  }
  await page.getByRole("tab", { name: "Users" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Payments" })).toBeFocused();
  await context.close();
});
