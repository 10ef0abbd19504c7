import type { Locator, Page } from "@playwright/test";
import type { Course, Role } from "../sites/course.ts";

/** One screen in one state, and the way there. */
export interface Screen {
  /** `route, state` */
  name: string;
  as: Role;
  open: (page: Page, course: Course) => Promise<void>;
  /** A bar at the bottom covers part of what scrolls behind it, so it is looked at where the page ends and nothing may be covered. */
  isSeenAtItsEnd?: boolean;
  /** The screen signs in or out, or moves the clock, so its window cannot be reused. */
  changesSession?: boolean;
}

/** Waits until it is there. */
export const seen = (locator: Locator): Promise<void> => locator.first().waitFor();

/** Waits until a dialog asks something. */
export const dialogOn = (page: Page): Promise<void> => seen(page.getByRole("alertdialog"));

/** The page of a pending request: a narrow window has no decision beside the queue, and a dialog would go with it. */
export async function openPending(page: Page, payer: string): Promise<void> {
  await page.goto("/admin?tab=payments");
  const address = await page.getByRole("link", { name: payer }).getAttribute("href");
  await page.goto(address!);
}

/** A request that gets no answer as long as the page is looked at. */
export const keepWaiting = (page: Page, address: string | RegExp): Promise<unknown> => page.route(address, () => {});

/** A request that the server refuses: its error, else nothing a person could read. */
export const refuse = (page: Page, address: string | RegExp, error = "", code = "unexpected"): Promise<unknown> =>
  page.route(address, (route) => route.fulfill({ status: 400, json: { error, code } }));

/** A list that is empty. */
export const emptied = (page: Page, address: string | RegExp): Promise<unknown> =>
  page.route(address, (route) => route.fulfill({ json: { items: [], users: [], next_cursor: null } }));

/** A list that says there is more. */
export const withMore = (page: Page, address: string | RegExp): Promise<unknown> =>
  page.route(address, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ json: { ...(await reply.json()), next_cursor: "more" } });
  });
