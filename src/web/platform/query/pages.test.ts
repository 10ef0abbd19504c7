import { InfiniteQueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { cursorPages, replaceInPages, type Page } from "./pages.ts";
import { queryClient } from "./query-client.ts";

interface Item {
  id: string;
  status: string;
}

// REVIEW-1
test("an item that was replaced is not undone by a read that began before", async () => {
  const replies: ((page: Page<Item>) => void)[] = [];
  const read = (): Promise<Page<Item>> => new Promise((reply) => replies.push(reply));
  const observer = new InfiniteQueryObserver(queryClient, { queryKey: ["requests"], ...cursorPages(read) });
  onTestFinished(observer.subscribe(() => {}));
  const reply = (at: number, status: string): void => replies[at]!({ items: [{ id: "a", status }], next_cursor: null });
  const statuses = () => observer.getCurrentResult().data?.map(({ status }) => status);
  reply(0, "pending");
  await expect.poll(statuses).toEqual(["pending"]);

  void queryClient.invalidateQueries({ queryKey: ["requests"] });
  await expect.poll(() => replies.length).toBe(2);
  replaceInPages<Item>(["requests"], ({ id }) => id === "a", { id: "a", status: "approved" });
  reply(1, "pending");
  await expect.poll(() => replies.length).toBe(3);
  expect(statuses()).toEqual(["approved"]);
  reply(2, "reopened");
  await expect.poll(statuses).toEqual(["reopened"]);
});
