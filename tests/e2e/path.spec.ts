import { expect, test } from "../support/browser/windows.ts";
import { adminSessionOf, caller, joinSite, windowOf } from "../support/sites/members.ts";
import { startSite, type Site } from "../support/sites/site.ts";

const lessons = [
  ["Elliott Wave", "Five waves", "starter"],
  ["Forex Basics", "Pips", "starter"],
  ["Forex Basics", "Lots", "starter"],
  ["Psychology", "The journal", "advanced"],
] as const;

/** Of its own: other journeys count the lessons of theirs. */
let site: Site;
test.beforeAll(async () => {
  site = await startSite();
  const asAdmin = caller(site, (await adminSessionOf(site)).access_token);
  for (const [index, [module, title, package_type]] of lessons.entries()) {
    const film = { module, title, package_type, description: "What it shows.", video_url: `${site.url}/robots.txt` };
    await asAdmin("POST", "/api/videos", { ...film, order_index: index + 1 });
  }
});
test.afterAll(async () => site?.stop());

// PATH-1, PATH-2, PATH-3, PATH-4
test("the seller orders the course by keyboard, and a student follows that order", async ({ browser }) => {
  const adminSession = await adminSessionOf(site);
  const asAdmin = caller(site, adminSession.access_token);
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

// PATH-3
test("a lesson takes little of a phone's column", async ({ browser }) => {
  const chai = await joinSite(site, "Chai Phone", true);
  const page = await (await windowOf(browser, site, chai.session)).newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  const title = "A title that is long enough to take three lines beside its picture ".repeat(3);
  const description = "What it shows, in more words than one line of a phone holds.\n".repeat(9);
  await page.route("**/api/videos?*", async (route) => {
    const reply = await (await route.fetch()).json();
    reply.items[0] = { ...reply.items[0], title, description };
    const progress = { position_seconds: 300, done: false, watched_at: "2026-11-22T08:00:00.000Z" };
    reply.items[1] = { ...reply.items[1], description, source: "upload", playable: true, duration_seconds: 600, progress };
    await route.fulfill({ json: reply });
  });
  await page.goto("/student");
  const cards = page.getByRole("region", { name: "Lessons" }).getByRole("article");
  await expect(page.getByRole("article", { name: title.trim() })).toBeVisible();
  const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
  const heights = boxes.map((box) => box?.height ?? 0).toSorted((a, b) => a - b);
  expect(heights.pop()).toBeLessThan(225);
  for (const height of heights) expect(height).toBeLessThan(190);
  // A description beside a taller picture is cut after its first line too.
  const descriptions = cards.getByText("in more words");
  await expect(descriptions).toHaveCount(2);
  for (const one of await descriptions.all()) expect((await one.boundingBox())?.height).toBeLessThan(24);
  for (const action of await cards.locator("a, button").all()) {
    expect((await action.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
});
