import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";

/** Reads the next page of a list; nothing after the last one. */
export function ShowMore({ list }: { list: UseInfiniteQueryResult }): ReactNode {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="secondary"
      className="mt-5 w-full"
      isBusy={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      Show more
    </Button>
  );
}
