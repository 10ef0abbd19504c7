import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/** Returns the click handler of a button that reads the next page of a list, and whether it is busy. */
export function useNextPage({ isFetching, isFetchingNextPage, refetch, fetchNextPage }: UseInfiniteQueryResult) {
  const [isAsked, setAsked] = useState(false);
  const read = async (): Promise<void> => {
    setAsked(true);
    // A read under way may follow an event, which would be lost with it.
    if (isFetching) await refetch({ cancelRefetch: false });
    await fetchNextPage({ cancelRefetch: false });
    setAsked(false);
  };
  return { isReading: isAsked || isFetchingNextPage, read: () => void read() };
}
