import { readFile } from "node:fs/promises";
import { adminSessionOf, caller, windowOf } from "../support/sites/members.ts";
import { expect, test } from "../support/sites/site.ts";

// AUDIT-4 to AUDIT-6, EXPORT-4
test("the admin reads who did what, shares a filter, and saves it as CSV", async ({ browser, site }) => {
  const session = await adminSessionOf(site);
  const call = caller(site, session.access_token);
  const coupon = (code: string) =>
    call("POST", "/api/coupons", { code, discount_starter: "10", discount_advanced: "20" }) as Promise<unknown>;
  await coupon("AUDITEDONE");
  const window = await windowOf(browser, site, session);
  const page = await window.newPage();
  const entry = (name: string | RegExp) => page.getByRole("row", { name });

  await test.step("a new entry appears without a reload", async () => {
    await page.goto("/admin?tab=audit");
    await expect(entry("added the coupon AUDITEDONE")).toBeVisible();
    await coupon("AUDITEDTWO");
    await expect(entry("added the coupon AUDITEDTWO")).toBeVisible();
    await entry("added the coupon AUDITEDTWO").getByText("Details").click();
    await expect(entry("added the coupon AUDITEDTWO")).toContainText("discount advanced");
  });

  await test.step("filters are in the address, which can be shared, and Back returns", async () => {
    await page.getByLabel("Action", { exact: true }).selectOption("coupon: create");
    await expect(page).toHaveURL(/action=coupon\.create/);
    await page.getByLabel("Search by e-mail, action or value").fill("AUDITEDONE");
    await expect(page).toHaveURL(/search=AUDITEDONE/);
    await expect(entry("added the coupon AUDITEDTWO")).toBeHidden();
    const colleague = await window.newPage();
    await colleague.goto(page.url());
    await expect(colleague.getByRole("row", { name: "added the coupon AUDITEDONE" })).toBeVisible();
    await expect(colleague.getByRole("row", { name: "added the coupon AUDITEDTWO" })).toBeHidden();
    await colleague.close();
  });

  await test.step("a filter is chosen as soon as the address has it, or the next change would undo it", async () => {
    const action = page.getByLabel("Action", { exact: true });
    const chosen = await action.evaluate(async (select: HTMLSelectElement) => {
      select.value = "coupon.update";
      select.dispatchEvent(new Event("change", { bubbles: true }));
      // Lets promises run, but nothing that React has put off.
      for (let turn = 0; turn < 1000 && !location.search.includes("coupon.update"); turn++) await Promise.resolve();
      return select.value;
    });
    expect(chosen).toBe("coupon.update");
    await action.selectOption("coupon: create");
  });

  await test.step("the export has the same rows", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), "utf8");
    expect(text).toContain("added the coupon AUDITEDONE");
    expect(text).not.toContain("AUDITEDTWO");
    await page.getByLabel("Search by e-mail, action or value").fill("");
    await page.getByLabel("Action", { exact: true }).selectOption("All actions");
    await expect(entry(/exported the audit log with/)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/action=coupon\.create/);
  });
  await window.close();
});
