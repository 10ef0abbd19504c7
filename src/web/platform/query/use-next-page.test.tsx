// @vitest-environment happy-dom
import { useInfiniteQuery } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { show } from "../../../../tests/support/render.tsx";
import { cursorPages, type Page } from "./pages.ts";
import { invalidateAfter } from "./query-client.ts";
import { useNextPage } from "./use-next-page.ts";

type Read = (cursor: string | undefined) => Promise<Page<string>>;

function List({ read }: { read: Read }): ReactNode {
  const list = useInfiniteQuery({ queryKey: ["letters"], ...cursorPages<string>(read), meta: { staleAfter: ["news"] } });
  const next = useNextPage(list);
  return (
    <>
      <p>{list.data?.join(" ")}</p>
      <button disabled={next.isReading} onClick={next.read}>
        Show more
      </button>
    </>
  );
}

// LIVE-1
test("the next page waits for the read that an event began", async () => {
  const replies: (() => void)[] = [];
  let first = "old";
  const read: Read = (cursor) => {
    const page = cursor === undefined ? { items: [first], next_cursor: "1" } : { items: ["next"], next_cursor: null };
    return new Promise((resolve) => replies.push(() => resolve(page)));
  };
  const { user } = show(<List read={read} />);
  const reply = (at: number): Promise<void> => act(async () => replies[at]!());
  await reply(0);
  expect(await screen.findByText("old")).toBeDefined();

  first = "new";
  act(() => invalidateAfter("news"));
  const button = screen.getByRole<HTMLButtonElement>("button");
  await user.click(button);
  expect(button.disabled).toBe(true);
  await reply(1);
  expect(await screen.findByText("new")).toBeDefined();
  await reply(2);
  expect(await screen.findByText("new next")).toBeDefined();
  expect(button.disabled).toBe(false);
});
