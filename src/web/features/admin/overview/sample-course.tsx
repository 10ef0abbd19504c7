import { useState, type ReactNode } from "react";
import type { SampleCourse as Sample } from "#domain/api/overview";
import { messageOf } from "../../../platform/errors.ts";
import { counted } from "../../../platform/format.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useRemoveSampleCourse, useSampleCourse } from "./queries.ts";

/** What is left of the sample course, and the one step that removes it (STATS-9). Renders nothing once it is gone. */
export function SampleCourse(): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const { data: sample } = useSampleCourse();
  const remove = useRemoveSampleCourse();
  const left = sample && partsOf(sample);
  if (left === undefined || left === "") return null;
  const close = (): void => {
    remove.reset();
    setAsking(false);
  };
  return (
    <Panel aria-label="Sample course" className="flex flex-wrap items-center justify-between gap-4">
      <p className="min-w-0">The sample course is still here: {left}.</p>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Remove the sample course
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Remove the sample course?"
        confirmLabel="Remove"
        isDangerous
        isBusy={remove.isPending}
        error={remove.error ? messageOf(remove.error, "unexpected") : undefined}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: (removed) => {
              close();
              toast({ title: "The sample course was removed", description: `Removed: ${partsOf(removed)}.` });
            },
          })
        }
        onCancel={close}
      >
        <p>This removes {left}, with what students watched of these lessons. It cannot be undone.</p>
        <p>What you added or changed yourself stays.</p>
      </ConfirmDialog>
    </Panel>
  );
}

/** Returns `14 lessons, 2 live sessions and the sample addresses`; empty where nothing is left. */
function partsOf({ lessons, live_sessions, wallet }: Sample): string {
  const parts = [
    ...(lessons > 0 ? [counted(lessons, "lesson")] : []),
    ...(live_sessions > 0 ? [counted(live_sessions, "live session")] : []),
    ...(wallet ? ["the sample payment addresses"] : []),
  ];
  return new Intl.ListFormat("en-GB").format(parts);
}
