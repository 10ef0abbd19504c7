import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../platform/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { usePreviewTier } from "../session/preview.tsx";

const choicesOptions = queryOptions({
  queryKey: ["mail-choices"],
  queryFn: () => api.mailChoices.get(),
  meta: { staleAfter: ["profile"] },
});

/** Whether a mail comes before each live session; the same choice as on the account page (MAIL-8). */
export function ReminderChoice(): ReactNode {
  // The admin has no such choice.
  const choices = useQuery({ ...choicesOptions, enabled: usePreviewTier() === undefined });
  const save = useMutation({
    mutationFn: (wanted: boolean) => api.mailChoices.put({ live_session_reminder: wanted }),
    onSuccess: (saved) => queryClient.setQueryData(choicesOptions.queryKey, saved),
  });
  if (choices.data === undefined) return null;
  return (
    <div className="grid gap-2">
      <Checkbox
        label="Mail me an hour before each live session"
        checked={save.isPending ? save.variables : choices.data.live_session_reminder}
        disabled={save.isPending}
        onChange={(event) => save.mutate(event.target.checked)}
      />
      <ActionError error={save.error} />
    </div>
  );
}
