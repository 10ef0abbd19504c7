import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import type { GrowingList } from "./lists.ts";

export function ShowMore({ list }: { list: GrowingList<unknown> }): ReactNode {
  if (!list.hasMore) return null;
  return (
    <Button kind="secondary" className="mt-5 w-full" disabled={list.isLoadingMore} onClick={list.showMore}>
      {list.isLoadingMore && <Spinner />}
      Show more
    </Button>
  );
}
