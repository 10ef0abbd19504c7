import type { BrowserContext } from "@playwright/test";
import { expectDashboard } from "../support/browser/dashboard.ts";
import { joinSite, windowOf } from "../support/sites/members.ts";
import { expect, test as base } from "../support/sites/site.ts";

/** A window whose stored access token has ended, so that every page begins with a refresh. */
const test = base.extend<{ window: BrowserContext }>({
  window: async ({ browser, site }, use, { testId }) => {
    const { session } = await joinSite(site, `Student ${testId}`, true);
    const ended = { ...session, expires_at: 1 };
    const context = await windowOf(browser, site, ended);
    await use(context);
    await context.close();
  },
});

const refreshCall = "**/auth/v1/token?grant_type=refresh_token";

// SESSION-3
test("two tabs that refresh at once both stay signed in", async ({ window }) => {
  let refreshes = 0;
  window.on("request", (request) => (refreshes += request.url().includes("grant_type=refresh_token") ? 1 : 0));
  const tabs = [await window.newPage(), await window.newPage()];
  await Promise.all(tabs.map((tab) => tab.goto("/student")));
  for (const tab of tabs) await expectDashboard(tab);
  expect(refreshes).toBeGreaterThan(0);
  for (const tab of tabs) {
    await tab.reload();
    await expectDashboard(tab);
  }
});

// SESSION-3
test("a refresh that a navigation aborts after the server has done it is repeated", async ({ window }) => {
  const page = await window.newPage();
  let isDone = (): void => {};
  const done = new Promise<void>((resolve) => (isDone = resolve));
  await page.route(refreshCall, async (route) => {
    expect((await route.fetch()).status()).toBe(200);
    // The reply never arrives.
    isDone();
  });
  // Within ten seconds of the first use the same token counts once more.
  await page.goto("/student", { waitUntil: "commit" });
  await done;
  await page.unroute(refreshCall);
  const again = page.waitForResponse((reply) => reply.url().includes("grant_type=refresh_token"));
  await page.goto("/account");
  expect((await again).status()).toBe(200);
  await page.goto("/student");
  await expectDashboard(page);
});

// SESSION-5
test("a refresh that the server could not do for now keeps the session", async ({ window }) => {
  const page = await window.newPage();
  let refusals = 0;
  await page.route(refreshCall, async (route) => {
    refusals += 1;
    if (refusals > 2) return route.continue();
    await route.fulfill({
      status: 429,
      headers: { "retry-after": "1" },
      json: { code: "over_request_rate_limit", message: "" },
    });
  });
  await page.goto("/student");
  await expectDashboard(page);
  expect(refusals).toBe(3);
});

// SESSION-2
test("a token that is refused before its end is renewed, and the call repeated", async ({ window }) => {
  const page = await window.newPage();
  const tokens: (string | null)[] = [];
  await page.route("**/api/me", async (route) => {
    tokens.push(await route.request().headerValue("authorization"));
    if (tokens.length > 1) return route.continue();
    await route.fulfill({ status: 401, json: { code: "not_signed_in", error: "Please sign in to continue." } });
  });
  await page.goto("/student");
  await expectDashboard(page);
  expect(new Set(tokens).size).toBe(2);
  expect(tokens[1]).not.toBe(tokens[0]);
});

// SESSION-2
test("a browser whose clock is slow renews its token in time", async ({ window }) => {
  const page = await window.newPage();
  await page.clock.setSystemTime(Date.now() - 150_000);
  await page.goto("/student");
  await expectDashboard(page);
  const secondsLeft = await page.evaluate((key) => {
    const { expires_at } = JSON.parse(localStorage.getItem(key)!) as { expires_at: number };
    return expires_at - Date.now() / 1000;
  }, "sb-pipwright-auth-token");
  expect(secondsLeft).toBeGreaterThan(300);
  expect(secondsLeft).toBeLessThanOrEqual(601);
});
