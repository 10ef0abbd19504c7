import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "../support/browser/windows.ts";
import { pay } from "../support/sites/course.ts";
import { adminSessionOf, caller, joinSite, windowOf } from "../support/sites/members.ts";
import { walletForm } from "../support/payments.ts";
import { adminEmail, adminPassword, startSite, type Site } from "../support/sites/site.ts";

const project = join(import.meta.dirname, "../..");

// A shop of its own, since the figures are compared to the last digit.
let site: Site;
test.beforeAll(async () => {
  site = await startSite();
  const env = { ...process.env, ...site.environment, NODE_ENV: "test", DATA_DIR: site.dataDir, ADMIN_EMAIL: adminEmail };
  spawnSync(process.execPath, [join(project, "dist/server/seed.js")], { cwd: project, stdio: "inherit", env });
});
test.afterAll(() => site?.stop());

// STATS-3, STATS-6, STATS-8, STATS-9
test("a new shop is set up and follows its first sales in the overview", async ({ browser }) => {
  test.setTimeout(240_000);
  const session = await adminSessionOf(site);
  const asAdmin = caller(site, session.access_token);
  const context = await windowOf(browser, site, session);
  const page = await context.newPage();
  await page.goto("/admin");
  const setup = page.getByRole("region", { name: "Set up your shop" });
  const figure = (name: string) => page.getByRole("region", { name, exact: true });

  await test.step("removes the sample course in one step", async () => {
    await expect(figure("No students yet")).toBeVisible();
    await expect(setup).toContainText("0 of 6 steps done");
    const { lessons } = await asAdmin("GET", "/api/sample-course");
    await page.getByRole("button", { name: "Remove the sample course" }).click();
    const question = page.getByRole("alertdialog", { name: "Remove the sample course?" });
    await expect(question).toContainText(`${lessons} lessons, 2 live sessions and the sample payment addresses`);
    await question.getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("The sample course was removed")).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove the sample course" })).toBeHidden();
    await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
    expect((await asAdmin("GET", "/api/videos")).items).toEqual([]);
  });

  await test.step("follows each step to its very place, which has the focus", async () => {
    for (const [link, place] of [
      ["Say where payments go", page.locator("#wallet")],
      ["Tell students how to reach you", page.locator("#environment")],
      ["Have mails delivered", page.locator("#test-mail")],
      ["Add your first lesson", page.locator("#new-video")],
      ["Protect your account with a second factor", page.getByRole("region", { name: "Two-step sign-in" })],
      ["Tell payments apart", page.getByRole("group", { name: "Telling payments apart" })],
    ] as const) {
      await setup.getByRole("link", { name: link }).click();
      await expect(place).toBeFocused();
      await expect(place).toBeInViewport();
      if (link === "Tell students how to reach you")
        await expect(place.getByText("CONTACT_URL", { exact: true })).toBeVisible();
      await page.goBack();
    }
  });

  await test.step("sees each step checked as it is done, and dismisses the rest", async () => {
    await asAdmin("PUT", "/api/wallet-settings", { ...walletForm, unique_amounts: true, current_password: adminPassword });
    await expect(setup).toContainText("2 of 6 steps done");
    const lesson = { title: "First", description: "D", module: "M", order_index: 1, package_type: "both" };
    await asAdmin("POST", "/api/videos", { ...lesson, video_url: "https://films.example/first" });
    await expect(setup).toContainText("3 of 6 steps done");
    await setup.getByRole("button", { name: "Do not show again" }).click();
    await expect(setup).toBeHidden();
    await page.reload();
    await expect(figure("No students yet")).toBeVisible();
    await expect(setup).toBeHidden();
  });

  await test.step("follows two sales from the submit to the revenue, and comes back from the list", async () => {
    const [ann, bob] = [await joinSite(site, "Ann", true), await joinSite(site, "Bob", true)];
    const requests = [
      await pay(ann, { package_type: "advanced", method: "ethereum", coupon: "LUNCH" }),
      await pay(bob, { package_type: "starter", method: "bitcoin" }),
    ];
    const waiting = figure("Waiting for your decision");
    await expect(waiting).toContainText("2");
    await waiting.getByRole("link", { name: "Review" }).click();
    await expect(page.getByRole("tab", { name: "Payments", selected: true })).toBeVisible();
    await page.goBack();
    for (const { id } of requests) await asAdmin("POST", `/api/payment-requests/${id}/approve`, {});
    await expect(waiting).toContainText("No payment request waits.");
    await expect(figure("Revenue, last 90 days")).toContainText("$796.1");
    await expect(figure("Revenue, last 90 days")).toContainText("2 approved");
    await expect(figure("Health")).toContainText("Room for uploads");

    const bars = page.getByRole("slider", { name: "Revenue by day and method" });
    const sales = /\$796\.1, 2 approved, Bitcoin \$497, Ethereum \$299\.1$/;
    await bars.press("End");
    // The last day, or the one before it where midnight (UTC) has passed since the approvals.
    if (!sales.test((await bars.getAttribute("aria-valuetext")) ?? "")) await bars.press("ArrowLeft");
    await expect(bars).toHaveAttribute("aria-valuetext", sales);
    await page.getByText("As a table").click();
    await page.getByRole("radio", { name: "Package" }).check();
    const table = page.getByRole("table", { name: "Revenue by day and package, newest first" });
    await expect(table.getByRole("row").nth(1)).toContainText("2$497$299.1$796.1");
    await page.setViewportSize({ width: 390, height: 844 });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await width()).toBe(0);
    // Counted by a job every ten seconds; the page does not read it again by itself.
    await expect(async () => {
      await page.reload();
      await expect(figure("From sign-up to paid").first()).toContainText("100%", { timeout: 5000 });
    }).toPass({ timeout: 110_000 });
  });
  await context.close();
});
