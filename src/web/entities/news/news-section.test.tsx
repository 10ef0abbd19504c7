// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { News } from "#domain/api/course/news";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { translateTexts } from "../../../../tests/support/translate-texts.ts";
import { api } from "../../platform/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { EarlierNews, UnreadNews } from "./news-section.tsx";
import { newsOptions } from "./queries.ts";

vi.mock("../../platform/api.ts", () => ({
  api: { news: { list: vi.fn<() => unknown>(), see: vi.fn<() => unknown>() } },
}));

/** As on the dashboard, where the rest of the page is between them. */
const Both = (): ReactNode => (
  <>
    <UnreadNews />
    <hr />
    <EarlierNews />
  </>
);

const list = vi.mocked(api.news.list);
const see = vi.mocked(api.news.see);
beforeEach(() => {
  list.mockReset();
  see.mockReset().mockResolvedValue({ seen: true });
});

const news = (title: string, given: Partial<News> = {}): News => ({
  id: title,
  title,
  text: "A text.",
  audience: "everyone",
  published_at: "2026-11-20T09:30:00.000Z",
  edited_at: null,
  unread: true,
  older_unread: false,
  mailing: null,
  ...given,
});
const has = (...items: News[]) => list.mockResolvedValue({ items, next_cursor: null });
const titles = (): string[] => screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);

// NEWS-3
test("the newest three unread announcements are on top, the others below All news", async () => {
  has(news("A"), news("B", { unread: false }), news("C"), news("D"), news("E"));
  const { user } = show(<Both />);
  await screen.findByRole("heading", { name: "A" });
  expect(titles()).toEqual(["A", "C", "D"]);
  expect(screen.getByRole("separator").previousElementSibling?.textContent).toContain("Mark as read D");
  await user.click(screen.getByRole("button", { name: "All news" }));
  expect(titles()).toEqual(["A", "C", "D", "B", "E"]);
  await user.click(screen.getByRole("button", { name: "Hide earlier news" }));
  expect(titles()).toEqual(["A", "C", "D"]);
});

test("older pages are read until three unread announcements are on top or all is read", async () => {
  const pages: Record<string, [News[], string | null]> = {
    "": [[news("A", { unread: false, older_unread: true })], "2"],
    "2": [[news("B"), news("C", { older_unread: true })], "3"],
    "3": [[news("D", { older_unread: true })], "4"],
    "4": [[news("E")], null],
  };
  list.mockImplementation(({ cursor = "" } = {}) =>
    Promise.resolve({ items: pages[cursor]![0], next_cursor: pages[cursor]![1] }),
  );
  show(<Both />);
  await screen.findByRole("heading", { name: "D" });
  expect(titles()).toEqual(["B", "C", "D"]);
  expect(list).toHaveBeenCalledTimes(3);
});

test("no older page is read where nothing there is unread", async () => {
  list.mockResolvedValue({ items: [news("A")], next_cursor: "2" });
  show(<Both />);
  await screen.findByRole("heading", { name: "A" });
  await act(() => Promise.resolve());
  expect(list).toHaveBeenCalledTimes(1);
});

test("a page of older news that cannot be read is not asked for again and again", async () => {
  list.mockResolvedValueOnce({ items: [news("A", { older_unread: true })], next_cursor: "2" });
  list.mockRejectedValue(new ProductError("not_allowed"));
  show(<Both />);
  await screen.findByRole("heading", { name: "A" });
  await waitFor(() => expect(list).toHaveBeenCalledTimes(2));
  await act(() => Promise.resolve());
  expect(list).toHaveBeenCalledTimes(2);
});

test("an announcement leaves the top when it is marked as read", async () => {
  has(news("A"), news("B"));
  const { user } = show(<Both />);
  const button = await screen.findByRole("button", { name: "Mark as read A" });
  has(news("A", { unread: false }), news("B"));
  await user.click(button);
  expect(see).toHaveBeenCalledExactlyOnceWith({ params: { id: "A" } });
  await waitFor(() => expect(titles()).toEqual(["B"]));
});

test("an announcement that could not be marked as read stays, with the error", async () => {
  has(news("A"));
  see.mockRejectedValue(new ProductError("unavailable"));
  const { user } = show(<Both />);
  await user.click(await screen.findByRole("button", { name: "Mark as read A" }));
  expect((await screen.findByRole("alert")).textContent).toContain("not available right now");
  expect(titles()).toEqual(["A"]);
});

test("nothing is displayed where there is no news", async () => {
  has();
  const { container } = show(<Both />);
  // Nothing is displayed while it loads either.
  await waitFor(() => expect(queryClient.getQueryState(newsOptions.queryKey)?.status).toBe("success"));
  expect(container.textContent).toBe("");
});

test("news that could not be read can be asked for again", async () => {
  list.mockRejectedValueOnce(new ProductError("not_allowed"));
  const { user } = show(<Both />);
  const retry = await screen.findByRole("button", { name: "Try again" });
  has(news("A"));
  await user.click(retry);
  expect(await screen.findByRole("heading", { name: "A" })).toBeDefined();
});

// TEXT-3
test("a long announcement closes and changes on a page that the browser translates", async () => {
  has(news("A", { text: "First.\n\nSecond." }));
  const { container, user } = show(<UnreadNews />);
  await user.click(await screen.findByRole("button", { name: "Read on A" }));
  translateTexts(container);
  await user.click(screen.getByRole("button", { name: "Read less A" }));
  expect(screen.getByRole("button", { name: "Read on A" })).toBeDefined();
  has(news("A", { text: "First, in other words.\n\nSecond." }));
  await act(() => queryClient.invalidateQueries());
  expect(await screen.findByText("First, in other words.")).toBeDefined();
  expect(screen.queryByText("First.")).toBeNull();
});

// NEWS-5
test("a long announcement opens in place, and links to https alone", async () => {
  has(news("A", { text: "First <img src=x>.\n\nSee https://a.example/x, not http://b.example or javascript:alert(1)." }));
  const { user } = show(<Both />);
  const article = await screen.findByRole("article", { name: "A" });
  expect(within(article).queryAllByRole("link")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Read on A" }));
  expect(
    within(article)
      .getAllByRole("link")
      .map((link) => link.outerHTML),
  ).toEqual([
    expect.stringMatching(
      /^<a href="https:\/\/a\.example\/x" target="_blank" rel="noopener noreferrer" .*>https:\/\/a\.example\/x<\/a>$/,
    ),
  ]);
  expect(article.querySelector("img")).toBeNull();
  expect(article.textContent).toContain("First <img src=x>.");
});
