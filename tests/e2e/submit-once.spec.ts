import type { Page } from "@playwright/test";
import { errors } from "../../src/domain/errors/messages.ts";
import { receipt } from "../support/sites/course.ts";
import { expect, openPayment, screenshotPicker, submitButton, test } from "../support/browser/checkout.ts";

const submitted = (page: Page) => page.getByRole("heading", { name: "Payment Submitted!" });

async function fillIn(page: Page): Promise<void> {
  await openPayment(page);
  await screenshotPicker(page).setInputFiles(receipt);
  await page.getByRole("checkbox").check();
}

/** The server gets the next submission and stores it, but its answer is lost on the way back; returns the keys of all submissions. */
async function loseNextAnswer(page: Page): Promise<string[]> {
  const keys: string[] = [];
  await page.route("**/api/payment-requests", async (route) => {
    keys.push(route.request().headers()["idempotency-key"] ?? "");
    const reply = await route.fetch();
    if (keys.length === 1) await route.abort("connectionreset");
    else await route.fulfill({ response: reply });
  });
  return keys;
}

/** From now on the page learns of its requests only by what it submits. */
const hideRequests = (page: Page): Promise<unknown> =>
  page.route(/\/api\/(payment-requests\/mine|events)/, (route) => route.abort("connectionfailed"));

test("a request whose reply was lost is found, and displayed as submitted", async ({ page, shop, buyer }) => {
  await fillIn(page);
  const keys = await loseNextAnswer(page);
  await submitButton(page).click();
  await expect(submitted(page)).toBeFocused();
  expect(keys).toHaveLength(1);
  expect(await shop.requestsOf(buyer)).toHaveLength(1);
});

test("a submit repeated after a lost reply stores one request", async ({ page, shop, buyer }) => {
  await fillIn(page);
  await hideRequests(page);
  const keys = await loseNextAnswer(page);
  await submitButton(page).click();
  await expect(page.getByRole("alert")).toHaveText(errors.submit_unanswered.text);
  await expect(page.getByText("receipt.png")).toBeVisible();
  expect(await shop.requestsOf(buyer)).toHaveLength(1);
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  expect(keys[1]).toBe(keys[0]);
  expect(await shop.requestsOf(buyer)).toHaveLength(1);
});

test("it is sent again by itself when the browser is back online", async ({ page, shop, buyer }) => {
  await fillIn(page);
  await hideRequests(page);
  const keys = await loseNextAnswer(page);
  await submitButton(page).click();
  await expect(page.getByRole("alert")).toHaveText(errors.submit_unanswered.text);
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await expect(submitted(page)).toBeVisible();
  expect(keys[1]).toBe(keys[0]);
  expect(await shop.requestsOf(buyer)).toHaveLength(1);
});

test("it is not sent again by itself once the consent is taken back", async ({ page, shop, buyer }) => {
  await fillIn(page);
  await page.route("**/api/payment-requests", (route) => route.abort("connectionreset"), { times: 1 });
  await submitButton(page).click();
  await expect(page.getByRole("alert")).toHaveText(errors.submit_unanswered.text);
  await page.getByRole("checkbox").uncheck();
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await submitButton(page).click();
  await expect(page.getByRole("alert").filter({ hasText: errors.consent_missing.text })).toBeVisible();
  await expect(page.getByRole("checkbox")).toBeFocused();
  expect(await shop.requestsOf(buyer)).toEqual([]);
  await page.getByRole("checkbox").check();
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  expect(await shop.requestsOf(buyer)).toHaveLength(1);
});

test("an error about the reference disappears when the reference is edited", async ({ page }) => {
  await fillIn(page);
  const text = errors.reference_invalid.text;
  const answer = { status: errors.reference_invalid.status, json: { error: text, code: "reference_invalid" } };
  await page.route("**/api/payment-requests", (route) => route.fulfill(answer), { times: 1 });
  await page.getByLabel("Transaction reference").fill("a".repeat(64));
  await submitButton(page).click();
  await expect(page.getByRole("alert")).toHaveText(text);
  await page.getByLabel("Transaction reference").fill("b".repeat(64));
  await expect(page.getByText(text)).toBeHidden();
});

test("a double click stores one request", async ({ page, shop, buyer }) => {
  await fillIn(page);
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/payment-requests")) sent += 1;
  });
  await submitButton(page).dblclick();
  await expect(submitted(page)).toBeVisible();
  expect(sent).toBe(1);
  expect(await shop.requestsOf(buyer)).toHaveLength(1);
});

test("two tabs submit one request, and the second tab has nothing to pay any more", async ({ page, context, shop, buyer }) => {
  const other = await context.newPage();
  await fillIn(page);
  await fillIn(other);
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  await expect(submitted(other)).toBeFocused();
  await expect(submitButton(other)).toHaveCount(0);
  await expect(other.getByText("BTC")).toHaveCount(1);
  await expect(other.getByRole("img")).toHaveCount(0);
  expect(await shop.requestsOf(buyer)).toHaveLength(1);
});
