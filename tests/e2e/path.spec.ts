import { expect, test } from "@playwright/test";
import { adminSessionOf, caller, joinSite, windowOf } from "../support/sites/members.ts";
import { startSite, type Site } from "../support/sites/site.ts";

/** Of its own: other journeys count the lessons of theirs. */
let site: Site;
test.beforeAll(async () => {
  site = await startSite();
});
test.afterAll(async () => site?.stop());

const lessons = [
  ["Elliott Wave", "Five waves", "starter"],
  ["Forex Basics", "Pips", "starter"],
  ["Forex Basics", "Lots", "starter"],
  ["Psychology", "The journal", "advanced"],
] as const;

// PATH-1, PATH-2, PATH-3, PATH-4
test("the seller orders the course by keyboard, and a student follows that order", async ({ browser }) => {
  const adminSession = await adminSessionOf(site);
  const asAdmin = caller(site, adminSession.access_token);
  for (const [index, [module, title, package_type]] of lessons.entries()) {
    const film = { module, title, package_type, description: "What it shows.", video_url: `${site.url}/robots.txt` };
    await asAdmin("POST", "/api/videos", { ...film, order_index: index + 1 });
  }
  const malee = await joinSite(site, "Malee Path", true);
  await asAdmin("PUT", "/functions/v1/admin-users", { userId: malee.session.user.id, newRole: "starter" });
  const [admin, student] = await Promise.all(
    [adminSession, malee.session].map(async (session) => (await windowOf(browser, site, session)).newPage()),
  );
  if (!admin || !student) throw new Error("No pages.");
  await admin.goto("/admin?tab=videos");
  await student.goto("/student");
  const next = student.getByRole("region", { name: /^(Start lesson|Continue)/ });
  const sections = student.getByRole("region", { name: "Lessons" }).getByRole("heading", { level: 3 });
  await expect(next).toContainText("Start lesson one: Five waves");

  await test.step("the open dashboard follows the new order at once", async () => {
    const down = admin.getByRole("button", { name: "Move module Elliott Wave down" });
    await down.focus();
    await admin.keyboard.press("Enter");
    await expect(admin.getByText("Elliott Wave is now number 2 of 3.")).toBeAttached();
    await expect(down).toBeFocused();
    await expect(sections).toHaveText(["Forex Basics", "Elliott Wave", "Psychology"]);
    await admin.getByRole("button", { name: "Move Pips down" }).click();
    await expect(next).toContainText("Start lesson one: Lots");
    await expect(admin.getByRole("button", { name: "Move Pips down" })).toBeFocused();
  });

  await test.step("a lesson that is opened is the one to continue, until it is done", async () => {
    const opened = student.waitForEvent("popup");
    await next.getByRole("button", { name: "Start" }).click();
    await (await opened).waitForURL(/robots\.txt$/);
    await expect(next).toContainText("Continue: Lots");
    await student.getByRole("article", { name: "Lots" }).getByRole("button", { name: "Mark as done" }).click();
    await expect(next).toContainText("Continue: Pips");
    await expect(student.getByText("1 of 2 done")).toBeVisible();
    await expect(student.getByRole("article", { name: "Lots" }).getByText("Done", { exact: true })).toBeVisible();
  });

  await test.step("the end of the course is said calmly, and a better package opens the rest", async () => {
    for (const { id, title } of (await malee.call("GET", "/api/videos")).items) {
      if (title === "The journal") continue;
      const progress = { position_seconds: 0, duration_seconds: 0, done: true };
      await malee.call("PUT", `/api/videos/${id}/progress`, progress);
    }
    await expect(student.getByText("You have done every lesson that is open to you.")).toBeVisible();
    await asAdmin("PUT", "/functions/v1/admin-users", { userId: malee.session.user.id, newRole: "advanced" });
    await expect(next).toContainText("Continue: The journal");
  });
});
