import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import type { EventTopic } from "#domain/api/events";
import type { ErrorCode } from "#domain/errors/messages";
import { isTransient } from "../errors.ts";
import { endError, reportError } from "./reported-error.ts";

interface Meta extends Record<string, unknown> {
  /** Reports every error to `useReportedError`; the code's text is used where the server sent none. */
  reportAs?: ErrorCode;
}

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: Meta & {
      /** The server's events that make the data stale. */
      staleAfter?: readonly EventTopic[];
    };
    mutationMeta: Meta;
  }
}

function reportIfAsked(error: Error, meta: Meta | undefined, source?: string): void {
  if (meta?.reportAs) reportError(error, meta.reportAs, source);
}

/** Queries are retried when that may help; mutations never, because only the user can decide to repeat them. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { meta, queryHash }) => reportIfAsked(error, meta, queryHash),
    onSuccess: (_data, { queryHash }) => endError(queryHash),
  }),
  mutationCache: new MutationCache({
    onError: (error, _values, _result, { meta }) => reportIfAsked(error, meta),
    onSuccess: () => endError(),
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
    },
    mutations: { networkMode: "always", retry: false },
  },
});

/** Marks every query stale that names the topic in its `staleAfter`, and refetches those on the page. */
export function invalidateAfter(topic: EventTopic): void {
  void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.staleAfter?.includes(topic) ?? false });
}
