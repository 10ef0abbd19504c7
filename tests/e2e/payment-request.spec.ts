import { randomBytes, randomInt } from "node:crypto";
import type { Page } from "@playwright/test";
import { errors } from "../../src/domain/errors/messages.ts";
import { expect, test } from "../support/browser/checkout.ts";
import { pay } from "../support/sites/course.ts";
import { adminSessionOf, joinSite, windowOf, type Member } from "../support/sites/members.ts";
import { adminEmail, adminPassword } from "../support/sites/site.ts";

const newHash = (): string => randomBytes(32).toString("hex");
const claim = (member: Member, reference: string) => pay(member, { package_type: "starter", method: "bitcoin", reference });
const region = (page: Page, name: string) => page.getByRole("region", { name });
const rowOf = (page: Page, { email }: Member) =>
  page.getByRole("navigation", { name: "Pending payment requests" }).getByRole("link", { name: email });
/** Ticks and approves the open request, although something is flagged. */
async function approveAnyway(page: Page, { email }: Member): Promise<void> {
  await page.getByRole("checkbox", { name: "I have seen the money arrive" }).check();
  await page.getByRole("button", { name: `Approve the payment of ${email}` }).click();
  await page.getByRole("button", { name: "Approve anyway" }).click();
}

// EVIDENCE-4
test("the link of the admin's mail leads through the sign-in to the request", async ({ browser, site, buyer }) => {
  const { id } = await claim(buyer, newHash());
  const admin = await (await windowOf(browser, site, undefined)).newPage();
  await admin.goto(`/admin/payments/${id}`);
  await expect(admin).toHaveURL(/\/auth\?next=/);
  await admin.getByLabel("Email").fill(adminEmail);
  await admin.getByLabel("Password", { exact: true }).fill(adminPassword);
  await admin.getByRole("button", { name: "Sign In" }).click();
  await expect(admin).toHaveURL(`${site.url}/admin/payments/${id}`);
  await expect(admin).toHaveTitle(new RegExp(`^Payment of ${buyer.email}`));
  await expect(region(admin, "Payment")).toContainText("0.01104444 BTC");
  await expect(region(admin, "Evidence")).toContainText("No request of another student has this reference.");
  const picture = admin.getByRole("img", { name: `Screenshot of ${buyer.email}` });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300);
  await expect(region(admin, "Audit log")).toContainText("submitted the payment of");
  await expect(region(admin, "Other requests of this student")).toContainText("None.");

  await admin.getByRole("button", { name: `Reject the payment of ${buyer.email}` }).click();
  await admin.getByLabel("Reason", { exact: true }).fill("The picture is cut off.");
  await admin.getByRole("button", { name: "Reject payment" }).click();
  await expect(admin.getByRole("dialog", { name: `Rejected: ${buyer.email}` })).toBeVisible();
  await admin.goto(`/admin/payments/${id}`);
  await expect(admin.getByText(/^Decided .*Reason: The picture is cut off\.$/)).toBeVisible();
  await expect(admin.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
  await expect(region(admin, "Audit log")).toContainText("rejected the payment of");
  await admin.context().close();
});

// EVIDENCE-2
test("a claimed transaction is disputed at once, and only the payer is approved", async ({ browser, site, buyer: thief }) => {
  const office = await windowOf(browser, site, await adminSessionOf(site));
  const [list, page] = [await office.newPage(), await office.newPage()];
  const hash = newHash();
  const stolen = await claim(thief, hash);
  // By a search, since the queue has the oldest first, a page at a time.
  await list.goto(`/admin?tab=payments&search=${hash}`);
  await expect(rowOf(list, thief)).toBeVisible();
  await expect(rowOf(list, thief)).not.toContainText("Reference disputed");
  await page.goto(`/admin/payments/${stolen.id}`);
  await expect(region(page, "Evidence")).toContainText("Not claimed by others");

  const victim = await joinSite(site, `Victim ${randomInt(1e9, 1e10)}`, true);
  await claim(victim, hash.toUpperCase());
  await expect(region(page, "Evidence")).toContainText(`${victim.email} (pending, submitted`);
  const claims = region(page, "Requests with this reference");
  await expect(claims.getByRole("listitem")).toHaveCount(2);
  await expect(claims.getByRole("link", { name: victim.email })).toBeVisible();
  for (const member of [thief, victim]) await expect(rowOf(list, member)).toContainText("Reference disputed");

  await rowOf(list, victim).click();
  await approveAnyway(list, victim);
  await expect(claims.getByText("Approved")).toBeVisible();
  await expect(region(page, "Evidence")).toContainText("That request was approved, so this one cannot be.");
  await approveAnyway(page, thief);
  await expect(page.getByRole("alert")).toContainText(`The request of ${victim.email}`);
  await expect(page.getByRole("button", { name: `Approve the payment of ${thief.email}` })).toBeEnabled();
  expect((await thief.call("GET", "/api/me")).subscription_status).toBe("unpaid");
  expect((await victim.call("GET", "/api/me")).subscription_status).toBe("starter");
  await office.close();
});

test("an address without a request says so, and a student is sent home", async ({ browser, site, page, buyer }) => {
  const office = await windowOf(browser, site, await adminSessionOf(site));
  const admin = await office.newPage();
  for (const id of ["00000000-0000-4000-8000-000000000000", "no-id"]) {
    await admin.goto(`/admin/payments/${id}`);
    await expect(admin.getByRole("heading", { name: "No payment request here" })).toBeVisible();
    await expect(admin.getByText(errors.payment_request_not_found.text)).toBeVisible();
  }
  await admin.getByRole("link", { name: "All payments" }).click();
  await expect(admin.getByRole("tab", { name: "Payments", selected: true })).toBeVisible();
  const { id } = await claim(buyer, newHash());
  await page.goto(`/admin/payments/${id}`);
  await expect(page).toHaveURL(/\/student$/);
  await office.close();
});
