// @vitest-environment happy-dom
import { useInfiniteQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { cursorPages } from "./pages.ts";
import { useFurtherPage } from "./use-further-page.ts";

type Read = (cursor: string | undefined) => Promise<{ items: string[]; next_cursor: string | null }>;

function List({ read, isNearEnd }: { read: Read; isNearEnd: boolean }): ReactNode {
  const list = useInfiniteQuery({ queryKey: ["letters"], ...cursorPages<string>(read) });
  useFurtherPage(list, isNearEnd);
  return <p>{[...(list.data ?? []), ...(list.isFetchNextPageError ? ["refused"] : [])].join(" ")}</p>;
}

test("the next page is read once the end of the list is near", async () => {
  const read = vi.fn<Read>(async (cursor) =>
    cursor === undefined ? { items: ["a"], next_cursor: "1" } : { items: ["b"], next_cursor: null },
  );
  const { rerender } = show(<List read={read} isNearEnd={false} />);
  expect(await screen.findByText("a")).toBeDefined();
  expect(read).toHaveBeenCalledOnce();
  rerender(<List read={read} isNearEnd />);
  expect(await screen.findByText("a b")).toBeDefined();
});

test("a page that is refused is not asked for again by itself", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const read = vi.fn<Read>(async (cursor) => {
    if (cursor !== undefined) throw new ProductError("too_many_requests");
    return { items: ["a"], next_cursor: "1" };
  });
  const { rerender } = show(<List read={read} isNearEnd />);
  expect(await screen.findByText("a refused")).toBeDefined();
  rerender(<List read={read} isNearEnd />);
  expect(read).toHaveBeenCalledTimes(2);
});
