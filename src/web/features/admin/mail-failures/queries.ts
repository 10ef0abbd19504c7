import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";

type MailFailures = Awaited<ReturnType<typeof api.mailFailures.list>>;

const queryKey = ["mail-failures"] as const;

/** Given-up and waiting mails. No event reports them, so they are read again every minute. */
export function useMailFailures(): UseQueryResult<MailFailures> {
  return useQuery({ queryKey, queryFn: () => api.mailFailures.list({}), refetchInterval: 60_000 });
}

export const useSendAgain = (): UseMutationResult<unknown, Error, number> =>
  useChange((id) => api.mailFailures.sendAgain({ params: { id } }));

export const useDismiss = (): UseMutationResult<unknown, Error, number> =>
  useChange((id) => api.mailFailures.dismiss({ params: { id } }));

function useChange(change: (id: number) => Promise<unknown>): UseMutationResult<unknown, Error, number> {
  return useMutation({ mutationFn: change, onSettled: () => queryClient.invalidateQueries({ queryKey }) });
}
