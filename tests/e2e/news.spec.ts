import { adminSessionOf, caller, joinSite, windowOf } from "../support/sites/members.ts";
import { expect, test } from "../support/sites/site.ts";

// NEWS-1, NEWS-3, NEWS-4, MAIL-9
test("news is published, read on the dashboard at once, mailed, and unsubscribed from", async ({ browser, site }) => {
  const member = await joinSite(site, "Nok Newsreader", true);
  const admin = await adminSessionOf(site);
  await caller(site, admin.access_token)("PUT", "/functions/v1/admin-users", {
    userId: member.session.user.id,
    newRole: "starter",
  });
  const students = await windowOf(browser, site, member.session);
  const operators = await windowOf(browser, site, admin);
  const strangers = await windowOf(browser, site, undefined);
  const [dashboard, office, mailProgram] = [await students.newPage(), await operators.newPage(), await strangers.newPage()];

  await test.step("the admin publishes and mails it", async () => {
    await dashboard.goto("/student");
    await expect(dashboard.getByRole("heading", { name: "Lessons" })).toBeVisible();
    await office.goto("/admin?tab=news");
    await office.getByRole("button", { name: "Write news" }).click();
    await office.getByLabel("Title", { exact: true }).fill("Two new lessons");
    await office.getByLabel("Text", { exact: true }).fill("They are in the SMC Course.");
    await office.getByLabel("For", { exact: true }).selectOption("Starter and Advanced");
    await office.getByLabel("Send it by mail too").check();
    await office.getByRole("button", { name: "Publish" }).click();
    await office.getByRole("button", { name: "Publish and mail" }).click();
    // Other journeys leave students with a package on the site.
    await expect(office.getByText(/^Mailed: \d+ mails?$/)).toBeVisible();
  });

  await test.step("the student reads it without a reload", async () => {
    await expect(dashboard.getByRole("heading", { name: "Two new lessons" })).toBeVisible();
    await dashboard.getByRole("button", { name: "Mark as read" }).click();
    await expect(dashboard.getByRole("heading", { name: "Two new lessons" })).toBeHidden();
    await dashboard.getByRole("button", { name: "All news" }).click();
    await expect(dashboard.getByRole("heading", { name: "Two new lessons" })).toBeVisible();
  });

  await test.step("the link of the mail unsubscribes without a session", async () => {
    await dashboard.goto("/account");
    const choice = dashboard.getByRole("checkbox", { name: "News about the course" });
    await expect(choice).toBeChecked();
    const mail = (await site.mailsFor(member.email)).find(({ subject }) => subject === "Two new lessons");
    const [link = ""] = /http\S+\/unsubscribe\?token=\S+/.exec(mail?.text ?? "") ?? [];
    await mailProgram.goto(link);
    await mailProgram.getByRole("button", { name: "Unsubscribe" }).click();
    await expect(mailProgram.getByRole("heading", { name: "You are unsubscribed" })).toBeVisible();
    await expect(choice).not.toBeChecked();
    await choice.click();
    await expect(dashboard.getByText("Saved: News about the course on.")).toBeVisible();
    await expect(choice).toBeChecked();
  });
  for (const context of [students, operators, strangers]) await context.close();
});
