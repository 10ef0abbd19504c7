import { GripVertical } from "lucide-react";
import { useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { videoTitle, type Video } from "#domain/api/course/videos";
import { packageTag } from "#domain/video-access";
import { videosOptions } from "../../../../entities/video/queries.ts";
import { api } from "../../../../platform/api.ts";
import { parseUrl } from "../../../../platform/browsers/parse-url.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { cx } from "../../../../ui/cx.ts";
import { InlineText } from "../../../../ui/inline-text.tsx";
import { EditButtons } from "../../edit-buttons.tsx";
import { DropLine } from "./drop-line.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import { UploadedFilm } from "./uploaded-film.tsx";
import { useDraggable, useDropTarget } from "./use-drag.ts";
import type { Selection } from "./use-selection.ts";

interface LessonRowProps {
  video: Video;
  /** Its place in its module, from 0. */
  index: number;
  isFirst: boolean;
  isLast: boolean;
  isDragged: boolean;
  /** The line that marks where something would be dropped. */
  dropLine: "above" | "below" | undefined;
  selection: Selection;
  watched: ReactNode;
  onStep: (step: -1 | 1) => void;
  onEdit: () => void;
  onRemove: () => void;
}

/** A lesson in the admin's list, which can be dragged, renamed, selected and moved. */
export function LessonRow(props: LessonRowProps): ReactNode {
  const { video, index, isFirst, isLast, isDragged, dropLine, selection, watched, onStep, onEdit, onRemove } = props;
  const { id, title, module } = video;
  const element = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLSpanElement>(null);
  useDraggable({ handle, element }, { lesson: id });
  useDropTarget(element, "lesson", { module, index }, { module, index: index + 1 });
  return (
    <li
      ref={element}
      data-lesson={id}
      className={cx(
        "relative flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 transition-opacity lg:grid",
        "lg:grid-cols-[auto_minmax(0,1fr)_5.5rem_minmax(0,13rem)_minmax(0,11rem)_auto]",
        isDragged && "opacity-40",
      )}
      onKeyDown={(event) => {
        const step = stepOfKey(event);
        if (step === undefined) return;
        event.preventDefault();
        onStep(step);
      }}
    >
      {dropLine && <DropLine at={dropLine} />}
      <span className="flex items-center">
        <DragHandle ref={handle} />
        <label className="grid size-11 shrink-0 place-items-center max-sm:w-9">
          <input
            type="checkbox"
            aria-label={`Select ${title}`}
            className="size-5 rounded-control"
            checked={selection.has(id)}
            onChange={() => {}}
            onClick={({ shiftKey }) => selection.toggle(id, shiftKey)}
          />
        </label>
        <span className="figures w-7 text-right text-small text-muted">{video.order_index}</span>
      </span>
      <div className="min-w-0 max-lg:flex-1 max-lg:basis-[calc(100%-8rem)]">
        <h3 className="font-medium">
          <InlineText text={title} label={`Title of ${title}`} schema={videoTitle} onSave={(text) => saveTitle(id, text)} />
        </h3>
        <p className="line-clamp-1 max-w-[60ch] text-small text-muted max-sm:hidden">{video.description}</p>
      </div>
      <span className="max-lg:pl-27 max-sm:pl-9">
        <Badge className="capitalize">{packageTag(video.package_type)}</Badge>
      </span>
      <Source video={video} />
      <div className="max-sm:order-last max-sm:basis-full max-sm:pl-9 max-sm:empty:hidden">{watched}</div>
      <div className="ml-auto flex">
        <MoveButtons name={title} isFirst={isFirst} isLast={isLast} onMove={onStep} />
        <EditButtons name={title} onEdit={onEdit} onDelete={onRemove} className="max-sm:w-9" />
      </div>
    </li>
  );
}

async function saveTitle(id: string, title: string): Promise<void> {
  await api.videos.update({ params: { id }, body: { title } });
  await queryClient.invalidateQueries({ queryKey: videosOptions.queryKey });
}

/** Alt with an arrow key moves what the focus is in (VIDEOS-1), except in a text, where it moves the cursor. */
export function stepOfKey({ altKey, key, target }: KeyboardEvent): -1 | 1 | undefined {
  const isInText = target instanceof HTMLInputElement && target.type === "text";
  if (!altKey || isInText) return undefined;
  return key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : undefined;
}

/** For the mouse alone: the buttons and keys do the same. A finger drags the page, so a touch screen has no handle. */
export function DragHandle({ ref }: { ref: RefObject<HTMLSpanElement | null> }): ReactNode {
  return (
    <span
      ref={ref}
      aria-hidden
      title="Drag to move"
      className="grid h-11 w-7 shrink-0 cursor-grab place-items-center rounded-control text-muted hover:bg-raised hover:text-ink pointer-coarse:hidden"
    >
      <GripVertical className="size-4.5" />
    </span>
  );
}

function Source({ video }: { video: Video }): ReactNode {
  if (video.source === "upload" || video.video_url === undefined) return <UploadedFilm video={video} />;
  return (
    <a
      href={video.video_url}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-9 items-center text-small wrap-anywhere text-action underline-offset-4 hover:underline max-sm:hidden"
    >
      {parseUrl(video.video_url)?.hostname ?? "Address"}
    </a>
  );
}
