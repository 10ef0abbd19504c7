import type { Page } from "@playwright/test";
import type { SharedAccount } from "../../../src/domain/api/course/playback.ts";
import type { UserDetail } from "../../../src/domain/api/users.ts";
import { errors } from "../../../src/domain/errors/messages.ts";
import { confirmDeletion } from "../browser/delete-user.ts";
import { adminScreen, openTab } from "./admin-screen.ts";
import { dialogOn, emptied, refuse, seen, withMore, type Screen } from "./screen.ts";

const sharedAccounts: { items: SharedAccount[]; next_cursor: null } = {
  items: [
    [
      "00000000-0000-4000-8000-000000000001",
      "Kanya Srisai",
      "kanya.srisai@example.com",
      81,
      14,
      37,
      ["networks", "devices", "displaced"],
    ],
    [
      "00000000-0000-4000-8000-000000000002",
      "Somchai Pattana",
      `${"somchai-the-second-of-that-name.".repeat(3)}pattana@mail.example.com`,
      12,
      7,
      3,
      ["devices"],
    ],
    ["00000000-0000-4000-8000-000000000003", "Dao Rattana", "dao.rattana@example.com", 38, 2, 0, ["networks"]],
  ].map(([user_id, full_name, email, networks, devices, displaced, signs]) => ({
    ...({ user_id, full_name, email, networks, devices, displaced, signs } as SharedAccount),
    last_played_on: "2026-11-20",
  })),
  next_cursor: null,
};

async function openUser(page: Page, email: string): Promise<void> {
  await page.goto(`/admin?tab=users&search=${email}`);
  await page.getByRole("rowheader").getByRole("link").click();
  await seen(page.getByRole("heading", { name: "Notes" }));
}

/** A student with notes, many sessions, a second factor, and tries at the password. */
const eventful = (user: UserDetail): UserDetail => ({
  ...user,
  second_factor: true,
  sign_in_slowed: true,
  sessions: ["Chrome on Windows", "Safari on iPhone", "Firefox on Linux"].map((device, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    device,
    network: index === 1 ? "2001:fb1:12:3400::/56" : `203.0.113.${index}`,
    created_at: user.created_at,
    last_seen_at: user.created_at,
  })),
  notes: [`Sends ${"a-very-long-word-".repeat(9)}and more.`, "Called on Monday.\nPays on Friday."].map((text, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    text,
    created_at: user.created_at,
    updated_at: index === 0 ? user.created_at : null,
  })),
});

/** The list of users with its filters, menus and dialogs, and the page of one. */
export const userScreens: Screen[] = [
  adminScreen("users", async (page) => {
    await openTab(page, "users");
    await seen(page.getByRole("rowheader"));
  }),
  adminScreen("users, next page not loaded", async (page) => {
    await withMore(page, "**/api/users?*");
    await refuse(page, "**/api/users?*cursor=*");
    await openTab(page, "users");
    await seen(page.getByRole("button", { name: "Try again" }));
  }),
  adminScreen("users, menu of a tier", async (page) => {
    await openTab(page, "users");
    await page
      .getByRole("button", { name: /^Package of / })
      .first()
      .click();
    await seen(page.getByRole("menu"));
  }),
  adminScreen("users, taking away access", async (page) => {
    await page.goto("/admin?tab=users&tier=advanced");
    await page
      .getByRole("button", { name: /^Package of / })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Take away access" }).click();
    await dialogOn(page);
  }),
  adminScreen("users, unusual sharing", async (page) => {
    await page.route("**/api/sharing*", (route) => route.fulfill({ json: sharedAccounts }));
    await openTab(page, "users");
    await seen(page.getByRole("heading", { name: "Unusual sharing" }));
  }),
  adminScreen("users empty", async (page) => {
    await emptied(page, "**/api/users?*");
    await openTab(page, "users");
    await seen(page.getByText("No students yet"));
  }),
  adminScreen("deleting a user", async (page) => {
    await refuse(page, "**/functions/v1/admin-users?userId=*");
    await openTab(page, "users");
    await page
      .getByRole("button", { name: /^Delete / })
      .first()
      .click();
    await dialogOn(page);
    await confirmDeletion(page);
    await seen(page.getByText(errors.user_delete_failed.text));
  }),
  adminScreen("turning off two-step sign-in", async (page) => {
    await page.route("**/api/users?*", async (route) => {
      const { items, ...rest } = await (await route.fetch()).json();
      await route.fulfill({ json: { ...rest, items: items.map((user: object) => ({ ...user, second_factor: true })) } });
    });
    await openTab(page, "users");
    await page
      .getByRole("button", { name: /^Turn off two-step sign-in of / })
      .first()
      .click();
    await dialogOn(page);
  }),
  adminScreen("error banner", async (page) => {
    await refuse(page, "**/api/users?*");
    await openTab(page, "users");
    await seen(page.getByText(errors.users_fetch_failed.text));
  }),
  adminScreen("user", async (page) => {
    await openUser(page, "chai.wongsa@example.com");
    await seen(page.getByRole("link", { name: /Advanced, / }));
  }),
  adminScreen("user with everything", async (page) => {
    await page.route(/\/api\/users\/[\w-]+$/, async (route) =>
      route.fulfill({ json: eventful(await (await route.fetch()).json()) }),
    );
    await openUser(page, "dao.rattana@example.com");
    await seen(page.getByText("Slowed down"));
    await page
      .getByRole("button", { name: /^Edit the note/ })
      .last()
      .click();
  }),
  adminScreen("user, giving a package for free", async (page) => {
    await openUser(page, "anan.srisuk@example.com");
    await page.getByRole("button", { name: "Give for free" }).click();
    await dialogOn(page);
    await page.getByRole("alertdialog").getByRole("button", { name: "Give for free" }).click();
    await seen(page.getByText("Please give the reason"));
  }),
  adminScreen("user not there", async (page) => {
    await page.goto("/admin/users/00000000-0000-4000-8000-000000000000");
    await seen(page.getByRole("heading", { name: "No student here" }));
  }),
];
