import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useNextPage } from "../../platform/query/use-next-page.ts";
import { Button } from "../../ui/button.tsx";

/** Reads the next page of a list; nothing after the last one. */
export function ShowMore({ list }: { list: UseInfiniteQueryResult }): ReactNode {
  const next = useNextPage(list);
  if (!list.hasNextPage) return null;
  return (
    <Button variant="secondary" className="mt-5 w-full" isBusy={next.isReading} onClick={next.read}>
      Show more
    </Button>
  );
}
