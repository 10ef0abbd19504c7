import { mailboxPath } from "../sites/site.ts";
import { seen, type Screen } from "./screen.ts";

/** What everyone can see. */
export const openScreens: Screen[] = [
  {
    name: "landing",
    as: "visitor",
    open: async (page) => {
      await page.goto("/");
      await seen(page.getByRole("heading", { name: "Master Forex Trading" }));
    },
  },
  {
    name: "landing, pricing rows open",
    as: "visitor",
    open: async (page) => {
      await page.goto("/");
      await page.locator("details").evaluateAll((rows) => rows.forEach((row) => row.setAttribute("open", "")));
    },
  },
  {
    name: "not found",
    as: "visitor",
    open: async (page) => {
      await page.goto("/no-such-page");
      await seen(page.getByRole("heading", { name: "Page not found" }));
    },
  },
  {
    name: "dead link",
    as: "visitor",
    open: async (page) => {
      await page.goto("/storage/v1/object/sign/course-videos/lesson.mp4?token=expired");
      await seen(page.getByRole("heading", { name: "This link no longer opens" }));
    },
  },
  {
    name: "something went wrong",
    as: "visitor",
    open: async (page) => {
      await page.route("**/assets/page-*.js", (route) => route.abort());
      await page.goto("/auth");
      await seen(page.getByRole("heading", { name: "Something went wrong" }));
    },
  },
  {
    name: "mailbox",
    as: "visitor",
    open: async (page) => {
      await page.goto(mailboxPath);
      await seen(page.getByRole("heading", { name: "Mailbox" }));
      // Every mail has the same layout, and axe asks each one's frame.
      await page.getByRole("article").evaluateAll((mails) => mails.slice(8).forEach((mail) => mail.remove()));
    },
  },
];
