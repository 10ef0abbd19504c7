import type { ReactNode } from "react";
import { ActionError } from "../../ui/action-error.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { LoadError } from "../../ui/load-error.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useMailChoices, useSaveMailChoice } from "../mail-choices/queries.ts";

/** Whether a mail comes before each live session; the same choice as on the account page (MAIL-8). */
export function ReminderChoice(): ReactNode {
  const choices = useMailChoices();
  const save = useSaveMailChoice();
  if (choices.isPending && choices.fetchStatus !== "idle") return <Skeleton className="h-6" />;
  if (choices.data === undefined) {
    return <LoadError error={choices.error} fallback="unavailable" onRetry={() => void choices.refetch()} isInPanel />;
  }
  return (
    <div className="grid gap-2">
      <Checkbox
        label="Mail me an hour before each live session"
        checked={choices.data.live_session_reminder}
        disabled={save.isPending}
        onChange={(event) => save.mutate({ kind: "live_session_reminder", wanted: event.target.checked })}
      />
      <ActionError error={save.error} />
    </div>
  );
}
