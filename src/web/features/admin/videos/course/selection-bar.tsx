import { useLayoutEffect, useState, type ReactNode } from "react";
import { maxSelectedVideos, type Video } from "#domain/api/course/videos";
import { texts } from "#domain/texts/texts";
import { videosOptions } from "../../../../entities/video/queries.ts";
import { api } from "../../../../platform/api.ts";
import { counted } from "../../../../platform/format.ts";
import { Button } from "../../../../ui/button.tsx";
import { toast } from "../../../../ui/toast.tsx";
import { DeleteDialog } from "../../delete-dialog.tsx";
import type { Module } from "./arrangement.ts";
import { ModuleDialog, PackageDialog } from "./selection-dialogs.tsx";
import type { Selection } from "./use-selection.ts";

interface SelectionBarProps {
  course: Module[];
  selection: Selection;
  onRemoved: (ids: readonly string[]) => void;
}

/** What can be done with several lessons (VIDEOS-3); it stays in view while there are some. */
export function SelectionBar({ course, selection, onRemoved }: SelectionBarProps): ReactNode {
  const { ids } = selection;
  const [open, setOpen] = useState<"package" | "module" | "delete">();
  const videos = course.flatMap((module) => module.videos).filter(({ id }) => ids.includes(id));
  const count = counted(ids.length, "lesson");
  const isTooMany = ids.length > maxSelectedVideos;
  const close = (): void => setOpen(undefined);
  const isThere = ids.length > 0;
  useLayoutEffect(() => {
    // It may come up over what has the focus (WCAG 2.4.11).
    if (isThere) document.activeElement?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }, [isThere]);
  // Others may delete the lessons while a question about them is open; it must not ask about the next ones.
  if (!isThere && open !== undefined) close();
  if (!isThere) return <p role="status" className="sr-only" />;
  return (
    <section
      aria-label="Selected lessons"
      data-bottom-bar="tall"
      className="sticky bottom-0 z-20 -mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-surface px-4 py-2.5 sm:mx-0 sm:rounded-panel sm:border"
    >
      <p role="status" className="figures mr-auto text-small font-medium">
        {count} selected{isTooMany && `; at most ${maxSelectedVideos} change together`}
      </p>
      <Button variant="secondary" size="small" disabled={isTooMany} onClick={() => setOpen("package")}>
        Change package
      </Button>
      <Button variant="secondary" size="small" disabled={isTooMany} onClick={() => setOpen("module")}>
        Change module
      </Button>
      <Button variant="danger" size="small" disabled={isTooMany} onClick={() => setOpen("delete")}>
        Delete
      </Button>
      <Button variant="quiet" size="small" onClick={selection.clear}>
        Clear
      </Button>
      {open === "package" && <PackageDialog ids={ids} count={count} onClose={close} />}
      {open === "module" && <ModuleDialog ids={ids} count={count} modules={course.map(({ name }) => name)} onClose={close} />}
      <DeleteDialog
        row={open === "delete" ? videos : undefined}
        title={ids.length === 1 ? "Delete video" : `Delete ${ids.length} videos`}
        remove={async (rows: Video[]) => {
          const removed = rows.map(({ id }) => id);
          await api.videos.removeSelected({ ids: removed });
          onRemoved(removed);
          toast({ title: `${count} deleted` });
        }}
        queryKey={videosOptions.queryKey}
        onClose={close}
      >
        <p>{ids.length === 1 ? texts.admin.confirmDeleteVideo : confirmDeleteVideos(ids.length)}</p>
        <ul className="font-medium text-ink">
          {videos.map(({ id, title }) => (
            <li key={id} className="wrap-anywhere">
              {title}
            </li>
          ))}
        </ul>
      </DeleteDialog>
    </section>
  );
}

const confirmDeleteVideos = (count: number): string =>
  texts.admin.confirmDeleteVideo.replace("this video", `these ${count} videos`);
