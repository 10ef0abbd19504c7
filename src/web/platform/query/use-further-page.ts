import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

/** Reads the next page of a list while its end is near. After an error only a button goes on, or it would ask without end. */
export function useFurtherPage(list: UseInfiniteQueryResult, isNearEnd: boolean): void {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage({ cancelRefetch: false });
  }, [isNearEnd, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}
