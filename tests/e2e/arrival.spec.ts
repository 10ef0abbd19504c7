import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/checkout.ts";
import { pay } from "../support/sites/course.ts";
import { expectDashboard } from "../support/browser/dashboard.ts";
import type { Call } from "../support/sites/members.ts";

const reject = (asAdmin: Call, id: string): Promise<unknown> =>
  asAdmin("POST", `/api/payment-requests/${id}/reject`, { reason: "The screenshot shows another amount." });
const approve = (asAdmin: Call, id: string): Promise<unknown> => asAdmin("POST", `/api/payment-requests/${id}/approve`, {});
const celebration = (page: Page) => page.getByRole("heading", { name: "Starter is yours" });
const dashboard = async (page: Page): Promise<void> => {
  await page.goto("/student");
  await expectDashboard(page);
};

// JOURNEY-4, JOURNEY-5
test("a rejection is on top of the dashboard, and an approval is celebrated once", async ({ page, buyer, shop }) => {
  const { id } = await pay(buyer, { package_type: "starter", method: "bitcoin" });
  await dashboard(page);
  await expect(page.getByText("Your payment for the Starter package is being checked")).toBeVisible();

  await test.step("the open dashboard says at once that it was rejected", async () => {
    await reject(shop.asAdmin, id);
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toContainText("Reason: The screenshot shows another amount.");
    await expect(alert.getByRole("link", { name: "Submit again for Starter" })).toBeVisible();
    await expect(page.getByRole("link", { name: /^Submit again/ })).toHaveCount(1);
  });

  await test.step("an approval while the page is closed waits for the next visit", async () => {
    await page.goto("about:blank");
    const again = await buyer.call("POST", `/api/payment-requests/${id}/resubmit`, {}, { "idempotency-key": randomUUID() });
    await approve(shop.asAdmin, again.id);
    const noted = page.waitForResponse((reply) => reply.url().endsWith(`/api/payment-requests/${again.id}/seen`) && reply.ok());
    await dashboard(page);
    await expect(celebration(page)).toBeVisible();
    await expect(page.getByRole("region", { name: "Starter is yours" }).getByRole("link")).toHaveAttribute(
      "href",
      `/student/receipts/${again.id}`,
    );
    await noted;
  });

  await test.step("it is not celebrated again", async () => {
    await dashboard(page);
    await expect(page.getByRole("heading", { name: "Your payments" })).toBeVisible();
    await expect(celebration(page)).toBeHidden();
  });
});
