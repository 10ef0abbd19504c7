import { readFileSync } from "node:fs";
import { copyFile, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { errors } from "../../src/domain/errors/messages.ts";
import { receipt } from "../support/sites/course.ts";
import { heic } from "../support/payment-requests/odd-pictures.ts";
import { pngOf } from "../support/uploads.ts";
import type { Member } from "../support/sites/members.ts";
import { expect, openPayment, screenshotPicker, submitButton, test, type Shop } from "../support/browser/checkout.ts";

const receiptBytes = readFileSync(receipt);
const preview = (page: Page) => page.getByRole("img", { name: "Your chosen screenshot" });

async function submit(page: Page): Promise<void> {
  await page.getByRole("checkbox").check();
  await submitButton(page).click();
  await page.getByRole("heading", { name: "Payment Submitted!" }).waitFor();
}

/** The picture of the student's only request. */
async function arrived(shop: Shop, buyer: Member): Promise<Buffer> {
  const requests = await shop.requestsOf(buyer);
  expect(requests).toHaveLength(1);
  return shop.screenshotOf(requests[0]);
}

/** Drags a file of this computer over the page and lets it go there. */
async function dropAt(page: Page, path: string, x: number, y: number): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await browser.send("Input.dispatchDragEvent", { type, x, y, data });
  }
}

test("a picked screenshot is previewed and reaches the server unchanged", async ({ page, shop, buyer }) => {
  await openPayment(page);
  await expect(submitButton(page)).toBeDisabled();
  const chooser = page.waitForEvent("filechooser");
  await page.getByText("An image up to 5MB (PNG, JPG)").click({ force: true });
  await (await chooser).setFiles(receipt);
  await expect(preview(page)).toHaveJSProperty("naturalWidth", 320);
  await expect(page.getByRole("status").filter({ hasText: "receipt.png" })).toContainText("bytes");
  await submit(page);
  expect((await arrived(shop, buyer)).equals(receiptBytes)).toBe(true);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("tus")))).toEqual([]);
});

test("a dropped one arrives, wherever on the page it falls", async ({ page, shop, buyer }) => {
  await openPayment(page);
  await dropAt(page, receipt, 5, 300);
  await expect(preview(page)).toBeVisible();
  await expect(page).toHaveURL(/\/payment\?package=starter$/);
  await submit(page);
  expect((await arrived(shop, buyer)).equals(receiptBytes)).toBe(true);
});

test("a pasted image becomes the screenshot, pasted text stays in its field", async ({ page, shop, buyer }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPayment(page);
  await expect(page.getByText("paste it with Ctrl+V")).toBeVisible();

  await page.evaluate(() => navigator.clipboard.writeText("a".repeat(64)));
  await page.getByLabel("Transaction reference").focus();
  await page.keyboard.press("ControlOrMeta+V");
  await expect(page.getByLabel("Transaction reference")).toHaveValue("a".repeat(64));
  await expect(preview(page)).toBeHidden();

  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const picture = new Blob([bytes], { type: "image/png" });
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
  }, receiptBytes.toString("base64"));
  await page.getByRole("heading", { name: "Starter package" }).click();
  await page.keyboard.press("ControlOrMeta+V");
  await expect(preview(page)).toHaveJSProperty("naturalWidth", 320);
  await submit(page);
  // The system's clipboard writes the picture anew, so its size in pixels stands for its bytes.
  const bytes = await arrived(shop, buyer);
  expect([bytes.toString("latin1", 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(["PNG", 320, 200]);
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("one is taken with the camera; the gallery stays open to choose from", async ({ page, shop, buyer }) => {
    await openPayment(page);
    await expect(page.getByText("paste it with")).toBeHidden();
    await expect(screenshotPicker(page)).not.toHaveAttribute("capture");
    await expect(page.getByLabel("Take a photo")).toHaveAttribute("capture", "environment");
    const chooser = page.waitForEvent("filechooser");
    await page.getByText("Take a photo").tap();
    await (await chooser).setFiles({ name: "photo.png", mimeType: "image/png", buffer: receiptBytes });
    await expect(preview(page)).toBeVisible();
    await expect(page.getByText("Take a photo")).toBeVisible();
    await submit(page);
    expect((await arrived(shop, buyer)).equals(receiptBytes)).toBe(true);
  });
});

test("the page refuses other files, the server those that only claim to be images", async ({ page, shop, buyer }) => {
  await openPayment(page);
  const noImage = Buffer.from("no picture at all");
  await screenshotPicker(page).setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: noImage });
  await expect(page.getByRole("alert")).toHaveText(errors.screenshot_type_invalid.text);
  await expect(submitButton(page)).toBeDisabled();

  await screenshotPicker(page).setInputFiles({ name: "notes.png", mimeType: "image/png", buffer: noImage });
  await expect(page.getByText("This browser cannot show this kind of picture.")).toBeVisible();
  await page.getByRole("checkbox").check();
  await submitButton(page).click();
  await expect(page.getByRole("alert")).toHaveText(errors.screenshot_type_invalid.text);
  await expect(screenshotPicker(page)).toBeFocused();
  await expect(submitButton(page)).toBeDisabled();
  expect(await shop.requestsOf(buyer)).toEqual([]);
});

test("a screenshot as large as the site's limit is refused before anything is sent", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await openPayment(page);
  await screenshotPicker(page).setInputFiles({ name: "large.png", mimeType: "image/png", buffer: pngOf(20 * 1024 ** 2) });
  await expect(page.getByRole("alert")).toHaveText("File size must be less than 20MB");
  await expect(submitButton(page)).toBeDisabled();
  expect(sent.filter((url) => url.includes("/storage/v1/"))).toEqual([]);
});

test("a HEIC picture of unknown kind is taken, though the browser cannot draw it", async ({ page, shop, buyer }) => {
  const photo = heic();
  await openPayment(page);
  await screenshotPicker(page).setInputFiles({ name: "IMG_0042.HEIC", mimeType: "", buffer: photo });
  await expect(page.getByText("IMG_0042.HEIC")).toBeVisible();
  await expect(page.getByText("This browser cannot show this kind of picture.")).toBeVisible();
  await submit(page);
  expect((await arrived(shop, buyer)).equals(photo)).toBe(true);
});

test("a chosen file can be removed and chosen again", async ({ page }) => {
  await openPayment(page);
  await screenshotPicker(page).setInputFiles(receipt);
  await page.getByRole("region", { name: "Submit your payment" }).getByRole("button", { name: "Remove" }).click();
  await expect(preview(page)).toBeHidden();
  await expect(screenshotPicker(page)).toBeFocused();
  await expect(submitButton(page)).toBeDisabled();
  await screenshotPicker(page).setInputFiles(receipt);
  await expect(preview(page)).toBeVisible();
  await expect(submitButton(page)).toBeEnabled();
});

test("a file that was moved after it was chosen is asked for again", async ({ page, shop, buyer }) => {
  const folder = await mkdtemp(join(tmpdir(), "pipwright-moved-"));
  const moved = join(folder, "receipt.png");
  await copyFile(receipt, moved);
  await openPayment(page);
  await screenshotPicker(page).setInputFiles(moved);
  await expect(preview(page)).toBeVisible();
  await page.getByRole("checkbox").check();
  await rename(moved, `${moved}.elsewhere`);
  await submitButton(page).click();
  await expect(page.getByRole("alert")).toHaveText(errors.file_unreadable.text);
  await expect(screenshotPicker(page)).toBeFocused();
  await screenshotPicker(page).setInputFiles(receipt);
  await submit(page);
  expect((await arrived(shop, buyer)).equals(receiptBytes)).toBe(true);
  await rm(folder, { recursive: true });
});
