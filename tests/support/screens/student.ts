import type { Page } from "@playwright/test";
import { emptied, keepWaiting, refuse, seen, type Screen } from "./screen.ts";
import { errors } from "../../../src/domain/errors/messages.ts";
import type { Course, Role } from "../sites/course.ts";

const dashboard = (as: Role, state: string): Screen => ({
  name: `student, ${state}`,
  as,
  open: async (page) => {
    await page.goto("/student");
    await seen(page.getByRole("button", { name: "All Modules" }));
    if (as !== "unpaid") await seen(page.getByRole("heading", { name: "Your payments" }));
  },
});

const settled = async (page: Page): Promise<void> => {
  await page.goto("/student");
  await seen(page.getByRole("button", { name: "All Modules" }));
};

/** The course with the first lessons that may be played done, and the next one left in the middle. */
const watched = async (page: Page, done: number): Promise<void> => {
  await page.route("**/api/videos?*", async (route) => {
    const reply = await (await route.fetch()).json();
    for (const [index, video] of reply.items.filter(({ playable }: { playable: boolean }) => playable).entries()) {
      video.duration_seconds ??= 754;
      const position_seconds = Math.round(video.duration_seconds * 0.4);
      if (index > done) continue;
      video.progress = { position_seconds, done: index < done, watched_at: `2026-11-2${Math.min(index, 9)}T08:00:00.000Z` };
    }
    await route.fulfill({ json: reply });
  });
  await settled(page);
};

/** The address of the receipt of a student's newest request, approved or not. */
const receiptOf = async (course: Course, email: string): Promise<string> => {
  const { items } = await course.asAdmin("GET", `/api/payment-requests?search=${email}`);
  return `/student/receipts/${items[0].id}`;
};
const noReceipt = (name: string, as: Role, email: string, text: string): Screen => ({
  name: `receipt, ${name}`,
  as,
  open: async (page, course) => {
    await page.goto(await receiptOf(course, email));
    await seen(page.getByText(text));
  },
});

/** The dashboard of students who stand differently, and their receipts. */
export const studentScreens: Screen[] = [
  dashboard("unpaid", "unpaid"),
  dashboard("waiting", "requests pending and rejected"),
  dashboard("starter", "starter, request approved"),
  dashboard("advanced", "advanced"),
  {
    name: "student, approval celebrated",
    as: "advanced",
    open: async (page) => {
      await page.route("**/api/payment-requests/mine*", async (route) => {
        const reply = await (await route.fetch()).json();
        for (const item of reply.items) item.approval_seen_at = null;
        await route.fulfill({ json: reply });
      });
      await settled(page);
      await seen(page.getByRole("heading", { name: "Advanced is yours" }));
    },
  },
  {
    name: "student, in the middle of the course",
    as: "starter",
    open: async (page) => {
      await watched(page, 2);
      await seen(page.getByRole("heading", { name: /^Continue: / }));
    },
  },
  {
    name: "student, course done",
    as: "advanced",
    open: async (page) => {
      await watched(page, 100);
      await seen(page.getByText("You have done every lesson"));
    },
  },
  {
    name: "student, one module",
    as: "starter",
    open: async (page) => {
      await settled(page);
      await page.getByRole("group", { name: "Filter by module" }).getByRole("button").nth(1).click();
    },
  },
  {
    name: "student, video not opened",
    as: "advanced",
    open: async (page) => {
      await refuse(page, "**/api/videos/*/play");
      await settled(page);
      await page.getByRole("button", { name: "Watch Now" }).first().click();
      await seen(page.getByRole("alert"));
    },
  },
  {
    name: "student, empty course",
    as: "unpaid",
    open: async (page) => {
      await emptied(page, "**/api/videos?*");
      await page.goto("/student");
      await seen(page.getByText("No lessons yet"));
    },
  },
  {
    name: "student, loading",
    as: "unpaid",
    open: async (page) => {
      await keepWaiting(page, "**/api/videos?*");
      await page.goto("/student");
      await seen(page.getByText("Loading your course content..."));
    },
  },
  {
    name: "student, error",
    as: "unpaid",
    open: async (page) => {
      await refuse(page, "**/api/videos?*");
      await refuse(page, "**/api/payment-requests/mine?*");
      await page.goto("/student");
      await seen(page.getByRole("button", { name: "Try again" }));
    },
  },
  {
    name: "student, server not reached",
    as: "unpaid",
    open: async (page) => {
      await refuse(page, "**/api/me");
      await page.goto("/student");
      await seen(page.getByRole("button", { name: "Try again" }));
    },
  },
  {
    name: "student, offline",
    as: "unpaid",
    open: async (page) => {
      await settled(page);
      await page.context().setOffline(true);
      await seen(page.getByText("You are offline."));
    },
  },
  {
    name: "student, live updates lost",
    as: "unpaid",
    open: async (page) => {
      await refuse(page, "**/api/events");
      await page.goto("/student");
      await seen(page.getByText("Connection lost."));
    },
  },
  {
    name: "student, upgrade with credit",
    as: "starter",
    open: async (page) => {
      await page.route("**/api/upgrade-offer", (route) =>
        route.fulfill({ json: { original_usd: "997", upgrade_credit_usd: "248.5", amount_usd: "748.5" } }),
      );
      await settled(page);
      await seen(page.getByText("$748.5"));
    },
  },
  {
    name: "receipt",
    as: "starter",
    open: async (page, course) => {
      await page.goto(await receiptOf(course, "busaba.kittikul@example.com"));
      await seen(page.getByRole("heading", { name: /^Receipt \d{4}-\d{5}$/ }));
    },
  },
  noReceipt("not approved yet", "waiting", "dao.rattana@example.com", errors.receipt_not_found.text),
  noReceipt("of somebody else", "unpaid", "busaba.kittikul@example.com", errors.payment_request_not_found.text),
];
