import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";

/** Reads the next page of a list; nothing after the last one. */
export function ShowMore({ list }: { list: UseInfiniteQueryResult }): ReactNode {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="secondary"
      className="mt-5 w-full"
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {list.isFetchingNextPage && <Spinner />}
      Show more
    </Button>
  );
}
