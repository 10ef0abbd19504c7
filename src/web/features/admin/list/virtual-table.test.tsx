// @vitest-environment happy-dom
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { show } from "../../../../../tests/support/render.tsx";
import { cursorPages, type Page } from "../../../platform/query/pages.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { VirtualTable, type ListColumn } from "./virtual-table.tsx";

interface Row {
  id: string;
  state: string;
}
const pageSize = 30;
const pageFrom = (first: number): Row[] =>
  Array.from({ length: pageSize }, (_row, index) => ({ id: String(first + index), state: "new" }));
const fetchRows = vi.fn<(cursor: string | undefined) => Promise<Page<Row>>>();
const columns: ListColumn<Row>[] = [
  { name: "Id", track: "1fr", isHeader: true, cell: ({ id }) => `Row ${id}` },
  { name: "State", track: "1fr", cell: ({ id, state }) => <button>{`${state} ${id}`}</button> },
];
const keyOf = ({ id }: Row): string => id;
const options = infiniteQueryOptions({ queryKey: ["rows"], ...cursorPages((cursor) => fetchRows(cursor)), retry: false });

function List(): ReactNode {
  const list = useInfiniteQuery(options);
  if (list.isPending) return null;
  return <VirtualTable caption="Rows" nouns={["row", "rows"]} columns={columns} list={list} keyOf={keyOf} source="rows" />;
}
const endless = (cursor: string | undefined): Promise<Page<Row>> =>
  Promise.resolve({ items: pageFrom(Number(cursor ?? 0)), next_cursor: String(Number(cursor ?? 0) + pageSize) });

// LIST-5.
test("renders only rows near the screen, counts all, and reads on before the end", async () => {
  fetchRows.mockImplementation(async (cursor) => ({ ...(await endless(cursor)), next_cursor: cursor === "30" ? null : "30" }));
  show(<List />);
  const table = await screen.findByRole("table", { name: "Rows" });
  await waitFor(() => expect(table.getAttribute("aria-rowcount")).toBe("61"));
  const rows = within(table).getAllByRole("row");
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.length).toBeLessThan(40);
  expect(rows[1]!.getAttribute("aria-rowindex")).toBe("2");
});

test("a later page that fails is tried again in place", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  fetchRows.mockImplementation((cursor) => (cursor === undefined ? endless(cursor) : Promise.reject(new Error("Lost"))));
  const { user } = show(<List />);
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(screen.getByRole("rowheader", { name: "Row 0" })).toBeDefined();
  fetchRows.mockImplementation(async (cursor) => ({ ...(await endless(cursor)), next_cursor: null }));
  await user.click(again);
  await waitFor(() => expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("61"));
});

// LIST-6.
test("rows wait for the mouse to leave, and new ones for the button too", async () => {
  const three = pageFrom(1).slice(0, 3);
  fetchRows.mockResolvedValue({ items: three, next_cursor: null });
  const { user } = show(<List />);
  const first = await screen.findByRole("button", { name: "new 1" });
  await user.hover(first);
  fetchRows.mockResolvedValue({ items: [{ id: "0", state: "new" }, three[1]!], next_cursor: null });
  await queryClient.invalidateQueries({ queryKey: options.queryKey });
  const shown = (): (string | null)[] => screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
  await screen.findByRole("button", { name: "Show 1 new row" });
  expect(shown()).toEqual(["Row 1", "Row 2", "Row 3"]);
  fireEvent.pointerLeave(screen.getByRole("table").parentElement!);
  await waitFor(() => expect(shown()).toEqual(["Row 0", "Row 2"]));
});
