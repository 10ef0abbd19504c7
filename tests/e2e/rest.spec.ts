import type { Locator } from "@playwright/test";
import { expect, openPayment, screenshotPicker, submitButton, test } from "../support/browser/checkout.ts";
import { receipt } from "../support/sites/course.ts";
import { adminSessionOf, windowOf } from "../support/sites/members.ts";

/** Returns the pixels between the text of a button and the button's edge, above or below. */
const spaceAround = (button: Locator): Promise<number> =>
  button.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    const [inner, outer] = [text.getBoundingClientRect(), element.getBoundingClientRect()];
    return Math.min(inner.top - outer.top, outer.bottom - inner.bottom);
  });

/** PART-1, PART-3, PART-4. */
test("a payment that was too small is completed on the same request", async ({ page, shop, buyer, browser }) => {
  const admin = await (await windowOf(browser, shop.site, await adminSessionOf(shop.site))).newPage();
  const panel = admin.getByRole("article").filter({ hasText: buyer.email });
  const submitted = page.getByRole("heading", { name: "Payment Submitted!" });

  await test.step("the student pays by bank", async () => {
    await openPayment(page);
    await page.getByRole("radio", { name: "Thai Bank Transfer" }).check();
    await screenshotPicker(page).setInputFiles(receipt);
    await page.getByRole("checkbox", { name: "I have read" }).check();
    await submitButton(page).click();
    await expect(submitted).toBeVisible();
  });

  await test.step("the admin asks for the rest of it", async () => {
    // By a search, since the queue has the oldest first, a page at a time.
    await admin.goto(`/admin?tab=payments&search=${buyer.email}`);
    await admin.getByRole("navigation", { name: "Pending payment requests" }).getByRole("link", { name: buyer.email }).click();
    await panel.getByRole("button", { name: "Ask for the rest" }).click();
    const dialog = admin.getByRole("alertdialog", { name: "Ask for the rest" });
    const send = dialog.getByRole("button", { name: "Ask for the rest" });
    await dialog.getByLabel("Received in THB").fill("17395");
    await send.click();
    await expect(dialog.getByText("more than 0 and less than the amount due")).toBeVisible();
    await dialog.getByLabel("Received in THB").fill("17000");
    await send.click();
    await expect(dialog).toBeHidden();
    await expect(panel).toContainText("17,000.00 THB");
    await expect(panel).toContainText("395.00 THB");
    await expect(panel).toContainText("The student was asked for the rest.");
  });

  await test.step("the student sees without a reload what is still to pay, and sends it", async () => {
    const due = page.getByRole("region", { name: "Still to pay" });
    await expect(due).toContainText("395.00 THB");
    await expect(due).toContainText("17,000.00 THB");
    await expect(due).toContainText("012-3-45678-9");
    await page.goto("/student");
    await expect(page.getByRole("status").filter({ hasText: "is missing" })).toContainText("still to pay 395.00 THB");
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole("table").getByText("still to pay")).toHaveCSS("text-align", "left");
    await page.getByRole("link", { name: "Pay the rest for Starter" }).first().click();
    expect(
      await spaceAround(page.locator("label").filter({ hasText: "Choose the screenshot of the rest" })),
    ).toBeGreaterThanOrEqual(6);
    await page.getByLabel("Choose the screenshot of the rest").setInputFiles(receipt);
    await page.getByLabel("Transaction reference").fill("rest-395");
    await page.getByRole("button", { name: "Send the rest" }).click();
    await expect(submitted).toBeVisible();
    await expect(page.getByText("There is nothing more to pay.")).toBeVisible();
  });

  await test.step("the admin sees the further part without a reload, and approves the whole amount", async () => {
    await expect(panel).toContainText("Rest of 395.00 THB");
    await expect(panel).toContainText("REST395");
    await panel.getByRole("button", { name: "Accept another amount" }).click();
    const dialog = admin.getByRole("alertdialog", { name: "Accept another amount" });
    await dialog.getByLabel("Received in THB").fill("17396");
    await dialog.getByLabel("Note, for you alone").fill("One baht too much.");
    await dialog.getByRole("checkbox", { name: "I have seen the money arrive" }).check();
    await dialog.getByRole("button", { name: "Approve with this amount" }).click();
    await expect(dialog).toBeHidden();
    await expect(admin.getByRole("dialog", { name: `Approved: ${buyer.email}` })).toBeVisible();
    const [{ id }] = await shop.requestsOf(buyer);
    await admin.goto(`/admin/payments/${id}`);
    await expect(panel.getByRole("region", { name: "Payment" })).toContainText("17,396.00 THB");
    await expect(panel).toContainText("Note: One baht too much.");
  });

  await test.step("the receipt has both amounts and both references", async () => {
    await page.getByRole("link", { name: "See the receipt" }).click();
    const sheet = page.getByRole("article");
    await expect(sheet).toContainText("17,395.00 THB");
    await expect(sheet).toContainText("Amount received");
    await expect(sheet).toContainText("17,396.00 THB");
    await expect(sheet).toContainText("REST395");
    await expect(sheet).not.toContainText("One baht too much.");
    const [request] = await shop.requestsOf(buyer);
    expect(request).toMatchObject({ status: "approved", amount_received: "17396.00", parts: [{ amount_asked: "395.00" }] });
  });
  await admin.context().close();
});
