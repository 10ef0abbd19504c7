import type { Page } from "@playwright/test";
import { errors } from "../../../src/domain/errors/messages.ts";
import { receipt } from "../sites/course.ts";
import { toPayment } from "./payment.ts";
import { keepWaiting, refuse, seen, type Screen } from "./screen.ts";

const fillForm = async (page: Page): Promise<void> => {
  await page.locator('input[type="file"]').setInputFiles(receipt);
  await page.getByLabel("Transaction reference").fill("f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16");
  await page.getByRole("checkbox").check();
};
/** Accepts whatever is submitted without storing it, and answers how it stands from then on. */
async function submitted(page: Page, changes: Record<string, unknown> = {}): Promise<void> {
  await page.route("**/api/payment-requests", async (route) => {
    const mine = await route.fetch({ url: route.request().url() + "/mine?limit=1", method: "GET", postData: null as never });
    const stored = { ...(await mine.json()).items[0], package_type: "advanced", id: crypto.randomUUID() };
    const made = { ...stored, status: "pending", receipt_number: null };
    await page.route("**/api/payment-requests/mine?*", (list) =>
      list.fulfill({ json: { items: [{ ...made, ...changes }], next_cursor: null } }),
    );
    await route.fulfill({ status: 201, json: made });
  });
  await toPayment(page, "advanced");
  await fillForm(page);
  await page.getByRole("button", { name: "Submit Payment Request" }).click();
  await seen(page.getByRole("heading", { level: 2, name: "What happens next?" }).or(page.getByText("Reason:")));
}

/** The form for the screenshot, from the choice of a file to the admin's decision. */
export const paymentFormScreens: Screen[] = [
  {
    name: "payment, filled in",
    as: "unpaid",
    open: async (page) => {
      await toPayment(page);
      await fillForm(page);
      await seen(page.getByText("Choose another"));
    },
  },
  {
    name: "payment, wrong file and no consent",
    as: "unpaid",
    open: async (page) => {
      await toPayment(page);
      await page.locator('input[type="file"]').setInputFiles(receipt);
      await page.getByRole("button", { name: "Submit Payment Request" }).click();
      await seen(page.getByText(errors.consent_missing.text));
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") });
      await seen(page.getByText(errors.screenshot_type_invalid.text));
    },
  },
  {
    name: "payment, submitting",
    as: "unpaid",
    open: async (page) => {
      await keepWaiting(page, "**/storage/v1/upload/resumable");
      await toPayment(page);
      await fillForm(page);
      await page.getByRole("button", { name: "Submit Payment Request" }).click();
      await seen(page.getByText("Submitting..."));
    },
  },
  {
    name: "payment, upload lost its connection",
    as: "unpaid",
    open: async (page) => {
      await page.route("**/storage/v1/upload/resumable", (route) => route.abort("connectionfailed"));
      await toPayment(page);
      await fillForm(page);
      await page.getByRole("button", { name: "Submit Payment Request" }).click();
      await seen(page.getByText("Connection lost"));
    },
  },
  {
    name: "payment, screenshot that cannot be drawn",
    as: "unpaid",
    open: async (page) => {
      await toPayment(page);
      const picture = { name: "IMG_0042.HEIC", mimeType: "image/heic", buffer: Buffer.from("a") };
      await page.locator('input[type="file"]').setInputFiles(picture);
      await seen(page.getByText("This browser cannot show this kind of picture."));
    },
  },
  {
    name: "payment, submit failed",
    as: "unpaid",
    open: async (page) => {
      await refuse(page, "**/api/payment-requests");
      await toPayment(page);
      await fillForm(page);
      await page.getByRole("button", { name: "Submit Payment Request" }).click();
      await seen(page.getByText(errors.payment_submit_failed.text));
    },
  },
  { name: "payment, submitted", as: "starter", open: (page) => submitted(page) },
  {
    name: "payment, submitted and approved",
    as: "starter",
    open: async (page) => {
      await submitted(page, { status: "approved", receipt_number: "2026-00042" });
      await seen(page.getByText("Approved: your Advanced package is unlocked"));
    },
  },
  {
    name: "payment, submitted and rejected",
    as: "starter",
    open: async (page) => {
      await submitted(page, { status: "rejected", rejection_reason: "The amount on the screenshot is too low." });
      await seen(page.getByRole("button", { name: "Submit again" }));
    },
  },
];
