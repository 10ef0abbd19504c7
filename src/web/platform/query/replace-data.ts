import type { Query, QueryFilters } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";

/** Replaces the data of queries that have some, after a change. A read under way is begun anew. */
export function replaceData<Data>(filters: QueryFilters, replace: (data: Data) => Data): void {
  queryClient.setQueriesData<Data>(filters, (data) => data && replace(data));
  // Its reply may have been made before, and would bring the old data back.
  const isRead = ({ state }: Query): boolean => state.data !== undefined && state.fetchStatus !== "idle";
  void queryClient.refetchQueries({ ...filters, predicate: isRead });
}
