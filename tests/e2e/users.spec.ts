import type { Page } from "@playwright/test";
import { errors } from "../../src/domain/errors/messages.ts";
import { expect, test, type Course } from "../support/sites/course.ts";
import { tabTo } from "../support/browser/keyboard.ts";
import { windowOf } from "../support/sites/members.ts";
import { chooseTier } from "../support/browser/delete-user.ts";

const tierOf = async ({ asAdmin }: Course, email: string): Promise<string> => {
  const { items } = await asAdmin("GET", `/api/users?search=${email}`);
  return items[0].subscription_status;
};
const menuOf = (page: Page, email: string) => page.getByRole("button", { name: `Package of ${email}` });

// USER-2.
test("a tier is given and taken back by the keyboard alone", async ({ browser, course }) => {
  const { email } = await course.join("Kit Keyboard", true);
  const context = await course.windowOf("admin", browser);
  const page = await context.newPage();
  await page.goto("/admin?tab=users");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type(email);
  await expect(page).toHaveURL(/search=kit/);
  await expect(page.getByText("1 student", { exact: true })).toBeVisible();

  const menu = menuOf(page, email);
  await tabTo(page, menu);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: /Give Starter Unlocks \d+ videos?/ })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  expect(await tierOf(course, email)).toBe("unpaid");

  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Give Starter" })).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitem", { name: "Give Advanced" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(menu).toHaveAccessibleName(/Advanced$/);
  await expect(menu).toBeFocused();
  expect(await tierOf(course, email)).toBe("advanced");
  // A toast stays for as long as the pointer rests on it.
  await page.getByRole("dialog", { name: email }).hover();

  await test.step("a loss is asked about, and a key pressed at once stays in the question", async () => {
    await page.keyboard.press("Enter");
    await page.keyboard.type("Take");
    await expect(page.getByRole("menuitem", { name: "Take away access" })).toBeFocused();
    // The second one is for "Cancel"; on the page behind it would open the menu again.
    await Promise.all(["Enter", "Enter"].map((key) => page.keyboard.press(key)));
    await expect(menu).toBeFocused();
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    expect(await tierOf(course, email)).toBe("advanced");
  });

  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toBeVisible();
  await page.keyboard.press("F6");
  await tabTo(page, undo);
  await page.keyboard.press("Enter");
  await expect(menu).toHaveAccessibleName(/Unpaid$/);
  await expect(menu).toBeFocused();
  expect(await tierOf(course, email)).toBe("unpaid");
  await context.close();
});

test("undo leaves a tier that was changed meanwhile as it is", async ({ browser, course }) => {
  const { email, session } = await course.join("Mae Meanwhile", true);
  const context = await course.windowOf("admin", browser);
  const page = await context.newPage();
  await page.goto(`/admin?tab=users&search=${email}`);
  await chooseTier(page, email, "Give Starter");
  // A toast stays for as long as the pointer rests on it.
  await page.getByRole("dialog", { name: email }).hover();
  await expect(menuOf(page, email)).toHaveAccessibleName(/Starter$/);
  await course.asAdmin("PUT", "/functions/v1/admin-users", { userId: session.user.id, newRole: "advanced" });
  // A change in another window is displayed at once.
  await expect(menuOf(page, email)).toHaveAccessibleName(/Advanced$/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(errors.tier_changed.text)).toBeVisible();
  expect(await tierOf(course, email)).toBe("advanced");
  await context.close();
});

// LIST-4.
test("filters are in the address, and Back restores them", async ({ browser, course }) => {
  const { email } = await course.join("Fah Filtered", true);
  const context = await course.windowOf("admin", browser);
  const page = await context.newPage();
  await page.goto("/admin?tab=users");
  await page.getByRole("radio", { name: "Unpaid" }).click();
  await expect(page.getByRole("radio", { name: "Unpaid" })).toBeChecked();
  await page.getByRole("searchbox", { name: "Search by e-mail or name" }).fill("fah.fil");
  await expect(page).toHaveURL(/tier=unpaid&search=fah.fil/);
  await expect(page.getByText("1 student", { exact: true })).toBeVisible();

  const shared = await context.newPage();
  await shared.goto(page.url());
  await expect(shared.getByRole("radio", { name: "Unpaid" })).toBeChecked();
  await expect(shared.getByRole("rowheader")).toContainText(email);
  await shared.close();

  await page.getByRole("link", { name: "Fah Filtered" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fah Filtered");
  await page.goBack();
  await expect(page.getByRole("searchbox")).toHaveValue("fah.fil");
  await context.close();
});

// USER-3.
test("a student is deleted once the address is typed", async ({ browser, course }) => {
  const { email } = await course.join("Dom Deleted", true);
  const context = await course.windowOf("admin", browser);
  const page = await context.newPage();
  await page.goto(`/admin?tab=users&search=${email}`);
  await page.getByRole("button", { name: `Delete ${email}` }).click();
  const question = page.getByRole("alertdialog", { name: "Delete user" });
  await expect(question).toContainText("Are you sure you want to delete this user? This action cannot be undone.");
  const field = question.getByLabel("Type the e-mail address to confirm");
  await field.fill("dom@example.com");
  await page.keyboard.press("Enter");
  await expect(field).toHaveAccessibleDescription("This is not the address above.");
  await field.fill(email.toUpperCase());
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(page.getByText("No student matches")).toBeVisible();
  expect((await course.asAdmin("GET", `/api/users?search=${email}`)).items).toEqual([]);
  await context.close();
});

// USER-4 to USER-6.
test("a student's page has notes, a free package, sessions, and goes on deletion", async ({ browser, course }) => {
  const member = await course.join("Noi Noted", true);
  const { id } = member.session.user;
  const context = await course.windowOf("admin", browser);
  const page = await context.newPage();
  await page.goto(`/admin/users/${id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Noi Noted" })).toBeVisible();
  const notes = page.getByRole("region", { name: "Notes" });

  await test.step("adds a note, changes and deletes it", async () => {
    await notes.getByRole("button", { name: "Add note" }).click();
    await expect(notes.getByLabel("New note")).toHaveAccessibleDescription("Please enter a text.");
    await notes.getByLabel("New note").fill("Asked for an invoice.");
    await notes.getByRole("button", { name: "Add note" }).click();
    await expect(notes.getByRole("listitem")).toContainText("Asked for an invoice.");
    await notes.getByRole("button", { name: /^Edit the note/ }).click();
    await notes.getByLabel(/^Note of/).fill("Has the invoice.");
    await notes.getByRole("button", { name: "Save note" }).click();
    await expect(notes.getByRole("listitem")).toContainText("Has the invoice.");
    await notes.getByRole("button", { name: /^Delete the note/ }).click();
    await page.getByRole("alertdialog", { name: "Delete note" }).getByRole("button", { name: "Delete" }).click();
    await expect(notes.getByRole("listitem")).toHaveCount(0);
    await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
  });

  const theirs = await windowOf(browser, course.site, member.session);
  const student = await theirs.newPage();
  await student.goto("/student");
  await expect(student.getByText("No Package")).toBeVisible();

  await test.step("gives a package for free, which opens the course at once", async () => {
    await page.getByRole("button", { name: "Give for free" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Give a package for free" });
    await dialog.getByRole("button", { name: "Give for free" }).click();
    await expect(dialog.getByLabel("Reason")).toHaveAccessibleDescription("Please give the reason, for the audit log.");
    await dialog.getByLabel("Reason").fill("Won a prize");
    await dialog.getByRole("button", { name: "Give for free" }).click();
    await expect(dialog).toBeHidden();
    await expect(menuOf(page, member.email)).toHaveAccessibleName(/Advanced$/);
    await expect(page.getByRole("region", { name: "Audit log" })).toContainText("for free: Won a prize");
    await expect(student.getByRole("banner").getByText("Advanced Package")).toBeVisible();
  });

  await test.step("ends the student's session, whose page is signed out", async () => {
    const sessions = page.getByRole("region", { name: "Signed in" });
    await sessions.getByRole("button", { name: /^End/ }).click();
    await expect(sessions).toContainText("Nowhere.");
    await expect(student).toHaveURL(/\/auth/);
    await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
  });

  await test.step("says so when the student is deleted in another window", async () => {
    await course.asAdmin("DELETE", `/functions/v1/admin-users?userId=${id}`);
    await expect(page.getByRole("heading", { name: "No student here" })).toBeVisible();
    await expect(page.getByText(errors.user_not_found.text)).toBeVisible();
  });
  await theirs.close();
  await context.close();
});
