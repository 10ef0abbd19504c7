import type { ComponentProps, ReactNode } from "react";
import type { SavedProgress, Video } from "#domain/api/course/videos";
import { ActionError } from "../../ui/action-error.tsx";
import { Button } from "../../ui/button.tsx";
import { useMarkDone } from "./queries.ts";

interface MarkDoneProps extends Pick<ComponentProps<typeof Button>, "variant" | "id" | "aria-labelledby"> {
  video: Video;
  /** Returns where the viewer is in the film. */
  position: () => SavedProgress;
}

/** The button that marks a lesson as done by hand, or as not done. */
export function MarkDone({ video: { id, progress }, position, ...look }: MarkDoneProps): ReactNode {
  const isDone = progress?.done === true;
  const mark = useMarkDone(id, position);
  return (
    <div className="grid gap-2">
      <Button {...look} disabled={mark.isPending} onClick={() => mark.mutate(!isDone)}>
        {isDone ? "Mark as not done" : "Mark as done"}
      </Button>
      <ActionError error={mark.error} />
    </div>
  );
}
