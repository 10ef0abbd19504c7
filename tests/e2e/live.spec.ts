import type { Page } from "@playwright/test";
import { adminSessionOf, caller, joinSite, windowOf, type Session } from "../support/sites/members.ts";
import { expect, test } from "../support/sites/site.ts";

/** The day and the time of day in UTC, so many minutes from now. */
function inMinutes(minutes: number): { date: string; time: string } {
  const [date = "", time = ""] = new Date(Date.now() + minutes * 60_000).toISOString().split("T");
  return { date, time: time.slice(0, 5) };
}

// LIVESESSION-1, LIVESESSION-3, LIVESESSION-4, LIVESESSION-8
test("the admin plans a session, Advanced joins 15 minutes before, Starter cannot", async ({ browser, site }) => {
  const admin = await adminSessionOf(site);
  const asAdmin = caller(site, admin.access_token);
  const pageOf = async (session: Session, path: string): Promise<Page> => {
    const context = await windowOf(browser, site, session, { timezoneId: "Asia/Bangkok" });
    await context.route("https://meet.example/**", (route) => route.fulfill({ body: "The meeting" }));
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };
  const studentWith = async (name: string, newRole: string): Promise<Page> => {
    const { session } = await joinSite(site, name, true);
    await asAdmin("PUT", "/functions/v1/admin-users", { userId: session.user.id, newRole });
    const page = await pageOf(session, "/student");
    await page.getByRole("heading", { name: "Lessons", exact: true }).waitFor();
    return page;
  };
  const office = await pageOf(admin, "/admin?tab=live");
  const advanced = await studentWith("Ada Advanced", "advanced");
  const starter = await studentWith("Stan Starter", "starter");

  await office.getByRole("button", { name: "Plan a live session" }).click();
  await office.getByLabel("Title").fill("Market open");
  await office.getByLabel("Description").fill("The week ahead.");
  await office.getByLabel("Link to join").fill("https://meet.example/room");
  await office.getByLabel("Repeats every week").uncheck();
  const planned = inMinutes(40);
  await office.getByLabel("Day", { exact: true }).fill(planned.date);
  await office.getByLabel("Time", { exact: true }).fill(planned.time);
  await office.getByLabel("Time zone").selectOption("UTC");
  await office.getByRole("button", { name: "Plan session" }).click();
  await expect(office.getByRole("heading", { name: "Coming" })).toBeVisible();

  // Both pages follow without a reload.
  const next = advanced.getByRole("region", { name: "Next live session" });
  await expect(next.getByRole("heading", { name: "Market open" })).toBeVisible();
  await expect(next).toContainText("in your time, Asia/Bangkok");
  const join = next.getByRole("button", { name: /^Join/ });
  await expect(join).toBeDisabled();
  const locked = starter.getByRole("region", { name: "Next live session" });
  await expect(locked.getByRole("link", { name: "Get Advanced" })).toBeVisible();
  await expect(locked.getByRole("button", { name: /^Join/ })).toHaveCount(0);

  await office.getByRole("button", { name: /^Move/ }).click();
  const dialog = office.getByRole("alertdialog");
  const moved = inMinutes(12);
  await dialog.getByLabel("Day").fill(moved.date);
  await dialog.getByLabel("Time").fill(moved.time);
  await dialog.getByRole("button", { name: "Move" }).click();
  await expect(dialog).toBeHidden();

  await expect(join).toBeEnabled();
  const opened = advanced.waitForEvent("popup");
  await join.click();
  await expect((await opened).getByText("The meeting")).toBeVisible();
  await expect(starter.getByRole("link", { name: "Get Advanced" })).toBeVisible();

  // Other journeys of this worker have the same site.
  const { items } = await asAdmin("GET", "/api/live-sessions");
  for (const { id } of items) await asAdmin("DELETE", `/api/live-sessions/${id}`);
});
