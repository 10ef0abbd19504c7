import type { InfiniteData } from "@tanstack/react-query";
import { replaceData } from "./replace-data.ts";

/** A page of a list, as every list of the contract replies. */
export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** Returns all items of a list, read page after page. */
export async function readAll<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** Options of an infinite query over the contract's lists; its `data` is the items read so far. */
export function cursorPages<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>) {
  return {
    queryFn: ({ pageParam }: { pageParam: string | undefined }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<Item>) => last.next_cursor ?? undefined,
    select: ({ pages }: { pages: Page<Item>[] }) => pages.flatMap(({ items }) => items),
  };
}

/** Puts an item in the place of the same one, in every list of `cursorPages` whose key begins with `queryKey`. */
export function replaceInPages<Item>(queryKey: readonly unknown[], isSame: (one: Item) => boolean, item: Item): void {
  const replace = (page: Page<Item>): Page<Item> => ({ ...page, items: page.items.map((one) => (isSame(one) ? item : one)) });
  replaceData<InfiniteData<Page<Item>>>({ queryKey }, (list) => ({ ...list, pages: list.pages.map(replace) }));
}
