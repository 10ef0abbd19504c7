import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import type { OptionalMailKind } from "#domain/mail-choices";
import { api } from "../../platform/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { usePreviewTier } from "../session/preview.tsx";

const mailChoicesOptions = queryOptions({
  queryKey: ["mail-choices"],
  queryFn: () => api.mailChoices.get(),
  meta: { staleAfter: ["profile"] },
});

/** Returns which optional mails the student gets. The admin, who previews the dashboard, has no such choices. */
export const useMailChoices = () => useQuery({ ...mailChoicesOptions, enabled: usePreviewTier() === undefined });

function display(kind: OptionalMailKind, wanted: boolean): void {
  queryClient.setQueryData(mailChoicesOptions.queryKey, (before) => before && { ...before, [kind]: wanted });
}

/** Turns one kind of mail on or off; displayed at once. */
export const useSaveMailChoice = () =>
  useMutation({
    mutationFn: ({ kind, wanted }: { kind: OptionalMailKind; wanted: boolean }) => api.mailChoices.put({ [kind]: wanted }),
    onMutate: ({ kind, wanted }) => display(kind, wanted),
    onSuccess: (saved) => queryClient.setQueryData(mailChoicesOptions.queryKey, saved),
    onError: (_error, { kind, wanted }) => {
      // Offline it cannot be read anew.
      display(kind, !wanted);
      return queryClient.invalidateQueries(mailChoicesOptions);
    },
  });
