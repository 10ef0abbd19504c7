import type { Page } from "@playwright/test";
import type { News } from "../../../src/domain/api/course/news.ts";
import { errors } from "../../../src/domain/errors/messages.ts";
import { dialogOn, refuse, seen, type Screen } from "./screen.ts";

const list = "**/api/news?*";
const account = "0b1f6c1e-6a52-4c3e-9d4b-1f2e3d4c5b6a";

const announcement = (index: number, given: Partial<News>): News => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  title: "Two new lessons on order blocks",
  text: "The SMC Course has two new lessons. They show where large orders were filled, and when a zone is used up.",
  audience: "everyone",
  published_at: `2026-11-${20 - index}T09:30:00.000Z`,
  edited_at: null,
  unread: false,
  older_unread: false,
  mailing: null,
  ...given,
});

const items: News[] = [
  announcement(1, {
    title: "The live session moves to Thursday",
    text:
      "This week's session is on Thursday at 19:00 in Bangkok, since the market is closed on Wednesday.\n\n" +
      `Bring your charts of EUR/USD. The calendar is at https://calendar.example.com/${"economic-".repeat(9)}events and has the day.`,
    audience: "advanced",
    edited_at: "2026-11-20T09:30:00.000Z",
    unread: true,
    mailing: { mails: 300, finished_at: null },
  }),
  announcement(2, { unread: true, mailing: { mails: 1284, finished_at: "2026-11-18T09:31:00.000Z" } }),
  announcement(3, { title: `A word that breaks no line by itself: ${"liquidity".repeat(8)}`, audience: "starter" }),
  announcement(4, { title: "Welcome to the course" }),
];
const asStudent = items.map((item) => ({ ...item, mailing: null }));

const withNews = (page: Page, shown: News[]): Promise<unknown> =>
  page.route(list, (route) => route.fulfill({ json: { items: shown, next_cursor: null } }));

async function dashboard(page: Page): Promise<void> {
  await withNews(page, asStudent);
  await page.goto("/student");
  await seen(page.getByRole("button", { name: "Mark as read" }));
}

async function newsTab(page: Page): Promise<void> {
  await withNews(page, items);
  await page.goto("/admin?tab=news");
  await seen(page.getByRole("rowheader", { name: "Welcome to the course" }));
}

async function writing(page: Page): Promise<void> {
  await newsTab(page);
  await page.getByRole("button", { name: "Write news" }).click();
  await page.getByLabel("Send it by mail too").check();
}

/** News on the dashboard, the admin's tab, and the page that ends a kind of mail. */
export const newsScreens: Screen[] = [
  { name: "news, unread", as: "advanced", open: dashboard },
  {
    name: "news, all of it",
    as: "advanced",
    open: async (page) => {
      await dashboard(page);
      await page.getByRole("button", { name: "Read on" }).first().click();
      await page.getByRole("button", { name: "All news" }).click();
      await seen(page.getByText("Welcome to the course"));
    },
  },
  {
    name: "news, nothing new",
    as: "starter",
    open: async (page) => {
      await withNews(page, asStudent.slice(2));
      await page.goto("/student");
      await seen(page.getByRole("button", { name: "All news" }));
    },
  },
  {
    name: "news, not loaded",
    as: "unpaid",
    open: async (page) => {
      await refuse(page, list);
      await page.goto("/student");
      await seen(page.getByRole("button", { name: "Try again" }));
    },
  },
  { name: "news, the admin's tab", as: "admin", open: newsTab },
  {
    name: "news, none published",
    as: "admin",
    open: async (page) => {
      await withNews(page, []);
      await page.goto("/admin?tab=news");
      await seen(page.getByText("No news yet"));
    },
  },
  {
    name: "news, an empty form",
    as: "admin",
    open: async (page) => {
      await writing(page);
      await page.getByRole("button", { name: "Publish" }).click();
      await seen(page.getByText("Please enter a text."));
    },
  },
  {
    name: "news, asked before mailing",
    as: "admin",
    open: async (page) => {
      await writing(page);
      await page.getByLabel("Title").fill("Two new lessons on order blocks");
      await page.getByLabel("Text").fill("They are in the SMC Course.");
      await page.getByRole("button", { name: "Publish" }).click();
      await dialogOn(page);
    },
  },
  {
    name: "news, edited",
    as: "admin",
    open: async (page) => {
      await newsTab(page);
      await page.getByRole("button", { name: "Edit Two new lessons on order blocks" }).click();
      await seen(page.getByText("It was mailed."));
    },
  },
  {
    name: "news, deleting",
    as: "admin",
    open: async (page) => {
      await newsTab(page);
      await page.getByRole("button", { name: "Delete Two new lessons on order blocks" }).click();
      await dialogOn(page);
    },
  },
  {
    name: "unsubscribe",
    as: "visitor",
    open: async (page) => {
      await page.goto(`/unsubscribe?token=news.${account}.proof`);
      await seen(page.getByRole("button", { name: "Unsubscribe" }));
    },
  },
  {
    name: "unsubscribe, refused",
    as: "visitor",
    open: async (page) => {
      await page.goto(`/unsubscribe?token=live_session_reminder.${account}.proof`);
      await page.getByRole("button", { name: "Unsubscribe" }).click();
      await seen(page.getByRole("alert").filter({ hasText: errors.unsubscribe_link_invalid.text }));
    },
  },
  {
    name: "unsubscribe, done",
    as: "visitor",
    open: async (page) => {
      await page.route("**/unsubscribe?*", (route) =>
        route.request().method() === "POST" ? route.fulfill({ json: { unsubscribed: true } }) : route.fallback(),
      );
      await page.goto(`/unsubscribe?token=news.${account}.proof`);
      await page.getByRole("button", { name: "Unsubscribe" }).click();
      await seen(page.getByRole("heading", { name: "You are unsubscribed" }));
    },
  },
  {
    name: "unsubscribe, incomplete link",
    as: "visitor",
    open: async (page) => {
      await page.goto("/unsubscribe");
      await seen(page.getByRole("heading", { name: "This link is not complete" }));
    },
  },
];
