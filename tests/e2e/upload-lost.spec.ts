import type { CDPSession, Page, Request } from "@playwright/test";
import { expect, openPayment, screenshotPicker, submitButton, test } from "../support/browser/checkout.ts";
import { pngOf } from "../support/uploads.ts";

const picture = pngOf(3_000_000);
const uploads = "/storage/v1/upload/resumable";

interface Line {
  slow(): Promise<unknown>;
  lost(): Promise<unknown>;
  back(): Promise<unknown>;
}

/** The line between this page and the world. */
async function lineOf(page: Page): Promise<Line> {
  const browser: CDPSession = await page.context().newCDPSession(page);
  const set = (offline: boolean, uploadThroughput: number): Promise<unknown> =>
    browser.send("Network.emulateNetworkConditions", { offline, latency: 0, downloadThroughput: -1, uploadThroughput });
  return { slow: () => set(false, 100_000), lost: () => set(true, 0), back: () => set(false, -1) };
}

/** Every request of the upload protocol from now on. */
function uploadRequests(page: Page): Request[] {
  const seen: Request[] = [];
  page.on("request", (request) => {
    if (request.url().includes(uploads)) seen.push(request);
  });
  return seen;
}

const notice = (page: Page) => page.getByRole("status").filter({ hasText: "Connection lost" });
const progress = (page: Page) => page.getByRole("progressbar", { name: "Uploading the screenshot" });
const percent = (page: Page) => page.getByRole("progressbar").evaluate((bar: HTMLProgressElement) => bar.value);

async function chooseBigPicture(page: Page): Promise<void> {
  await screenshotPicker(page).setInputFiles({ name: "big.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("checkbox").check();
}

async function startSlowUpload(page: Page): Promise<Line> {
  await openPayment(page);
  await chooseBigPicture(page);
  const line = await lineOf(page);
  await line.slow();
  await submitButton(page).click();
  await expect(progress(page)).toBeVisible();
  await expect.poll(() => percent(page)).toBeGreaterThan(10);
  return line;
}

test("an upload that lost its connection goes on by itself when it is back", async ({ page, shop, buyer }) => {
  const requests = uploadRequests(page);
  const line = await startSlowUpload(page);
  await line.lost();
  await expect(notice(page)).toContainText("The upload goes on by itself when it is back.");
  await expect(page.getByText("big.png")).toBeVisible();
  await line.back();
  await expect(page.getByRole("heading", { name: "Payment Submitted!" })).toBeVisible();

  const stored = await shop.requestsOf(buyer);
  expect(stored).toHaveLength(1);
  expect((await shop.screenshotOf(stored[0])).equals(picture)).toBe(true);
  expect(requests.filter((request) => request.method() === "POST")).toHaveLength(1);
});

test("an upload resumes after a lost connection, and after a proxy's error", async ({ page, shop, buyer }) => {
  const requests = uploadRequests(page);
  const part = picture.subarray(0, 1_000_000);
  let step = 0;
  await page.route(`**${uploads}/*`, async (route, request) => {
    step += 1;
    if (step === 2) return route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" });
    if (step > 2) return route.fallback();
    const reply = await fetch(request.url(), {
      method: "PATCH",
      headers: await request.allHeaders(),
      body: new Uint8Array(part),
    });
    expect(reply.status).toBe(204);
    await route.abort("connectionreset");
  });
  await openPayment(page);
  await chooseBigPicture(page);
  await submitButton(page).click();
  await expect(notice(page)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Payment Submitted!" })).toBeVisible();

  const offsets = requests.flatMap((request) => request.headers()["upload-offset"] ?? []);
  expect(requests.map((request) => request.method())).toEqual(["POST", "PATCH", "HEAD", "HEAD", "PATCH"]);
  expect(offsets).toEqual(["0", "1000000"]);
  const stored = await shop.requestsOf(buyer);
  expect(stored).toHaveLength(1);
  expect((await shop.screenshotOf(stored[0])).equals(picture)).toBe(true);
});

test("Try now starts the upload again without waiting for the pause to end", async ({ page, shop, buyer }) => {
  await page.clock.install();
  await openPayment(page);
  await chooseBigPicture(page);
  let isLost = true;
  let tries = 0;
  await page.route(`**${uploads}**`, async (route) => {
    tries += 1;
    if (isLost) await route.abort("connectionfailed");
    else await route.continue();
  });
  // The page's clock stands still from here on, so that no pause ends by itself.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await submitButton(page).click();
  await expect(notice(page)).toBeVisible();
  expect(tries).toBe(1);
  isLost = false;
  await page.getByRole("button", { name: "Try now" }).click();
  await expect(notice(page)).toBeHidden();
  await page.clock.resume();
  await expect(page.getByRole("heading", { name: "Payment Submitted!" })).toBeVisible();
  expect(await shop.requestsOf(buyer)).toHaveLength(1);
});

test("a cancelled upload keeps the file and submits nothing, online or offline", async ({ page, shop, buyer }) => {
  const requests = uploadRequests(page);
  const line = await startSlowUpload(page);
  await page.getByRole("button", { name: "Cancel upload" }).click();
  await expect(page.getByRole("progressbar")).toBeHidden();
  await expect(submitButton(page)).toBeEnabled();
  await expect(submitButton(page)).toBeFocused();
  await expect(page.getByRole("alert")).toBeHidden();
  await expect(page.getByText("big.png")).toBeVisible();
  await expect.poll(() => requests.some((request) => request.method() === "DELETE")).toBe(true);

  await submitButton(page).click();
  await expect.poll(() => percent(page)).toBeGreaterThan(5);
  await line.lost();
  await expect(notice(page)).toBeVisible();
  await page.getByRole("button", { name: "Cancel upload" }).click();
  await expect(notice(page)).toBeHidden();
  await expect(submitButton(page)).toBeEnabled();
  await line.back();
  expect(await shop.requestsOf(buyer)).toEqual([]);

  await submitButton(page).click();
  await expect(page.getByRole("heading", { name: "Payment Submitted!" })).toBeVisible();
  const stored = await shop.requestsOf(buyer);
  expect(stored).toHaveLength(1);
  expect((await shop.screenshotOf(stored[0])).equals(picture)).toBe(true);
});
