import { Pencil, Trash2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import type { Video } from "#domain/api/videos";
import { packageTag } from "#domain/video-access";
import { pathOf, type PathModule } from "#domain/watch/path";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { DataTable, type Column } from "../../../ui/data-table.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import { moved, useSaveOrder, useStatistics } from "./queries.ts";
import { UploadedFilm } from "./uploaded-film.tsx";
import { Watched } from "./watched.tsx";

interface ModuleListProps {
  videos: Video[];
  onEdit: (video: Video) => void;
  onRemove: (video: Video) => void;
}

/** The course in the seller's order, with buttons that change it (PATH-1). */
export function ModuleList({ videos, onEdit, onRemove }: ModuleListProps): ReactNode {
  const path = pathOf(videos);
  const { mutate, isPending } = useSaveOrder();
  const statistics = useStatistics();
  const watchedOf = (video: Video): ReactNode =>
    statistics.data && <Watched video={video} statistics={statistics.data.get(video.id)} />;
  const [announced, setAnnounced] = useState("");
  const names = path.map(({ name }) => name);
  const moveModule = (name: string, from: number, to: number): void =>
    mutate({ modules: moved(names, from, to) }, { onSuccess: () => setAnnounced(placeOf(name, to, names.length)) });
  const moveVideo = ({ name, lessons }: PathModule<Video>, from: number, to: number): void => {
    const ids = moved(
      lessons.map(({ video }) => video.id),
      from,
      to,
    );
    const title = lessons[from]?.video.title ?? "";
    mutate({ module: name, ids }, { onSuccess: () => setAnnounced(placeOf(title, to, ids.length)) });
  };
  const orderOf = (module: PathModule<Video>, { id, title, order_index }: Video): ReactNode => {
    const index = module.lessons.findIndex(({ video }) => video.id === id);
    return (
      <span className="flex items-center justify-end gap-2 lg:justify-start">
        <span className="figures min-w-6 text-right">{order_index}</span>
        <MoveButtons
          name={title}
          index={index}
          count={module.lessons.length}
          isPending={isPending}
          onMove={(to) => moveVideo(module, index, to)}
        />
      </span>
    );
  };
  return (
    <div className="grid gap-8">
      <p role="status" className="sr-only">
        {announced}
      </p>
      {path.map((module, index) => (
        <ModuleSection
          key={module.name}
          name={module.name}
          order={
            <MoveButtons
              name={`module ${module.name}`}
              index={index}
              count={path.length}
              isPending={isPending}
              onMove={(to) => moveModule(module.name, index, to)}
            />
          }
        >
          <DataTable
            caption={`Videos of ${module.name}, in order`}
            columns={columnsFor((video) => orderOf(module, video), watchedOf, onEdit, onRemove)}
            rows={module.lessons.map(({ video }) => video)}
            keyOf={({ id }) => id}
          />
        </ModuleSection>
      ))}
    </div>
  );
}

const placeOf = (name: string, index: number, count: number): string => `${name} is now number ${index + 1} of ${count}.`;

function ModuleSection({ name, order, children }: { name: string; order: ReactNode; children: ReactNode }): ReactNode {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 id={titleId} className="min-w-0 text-lead font-semibold wrap-anywhere">
          {name}
        </h2>
        {order}
      </div>
      {children}
    </section>
  );
}

const columnsFor = (
  orderOf: (video: Video) => ReactNode,
  watchedOf: (video: Video) => ReactNode,
  edit: (video: Video) => void,
  remove: (video: Video) => void,
): Column<Video>[] => [
  {
    name: "Title",
    isHeader: true,
    cell: (video) => (
      <>
        <span className="block font-medium">{video.title}</span>
        <span className="line-clamp-2 block max-w-[52ch] text-small text-muted">{video.description}</span>
      </>
    ),
  },
  { name: "Order", cell: orderOf },
  { name: "Package", cell: (video) => <Badge className="capitalize">{packageTag(video.package_type)}</Badge> },
  { name: "Film", cell: (video) => <Source video={video} /> },
  { name: "Watched", cell: watchedOf },
  {
    name: "Change",
    cell: (video) => (
      <div className="flex justify-end lg:justify-start">
        <IconButton label={`Edit ${video.title}`} onClick={() => edit(video)}>
          <Pencil aria-hidden className="size-4.5" />
        </IconButton>
        <IconButton label={`Delete ${video.title}`} className="hover:text-loss" onClick={() => remove(video)}>
          <Trash2 aria-hidden className="size-4.5" />
        </IconButton>
      </div>
    ),
  },
];

function Source({ video }: { video: Video }): ReactNode {
  if (video.source === "upload" || video.video_url === undefined) return <UploadedFilm video={video} />;
  return (
    <a
      href={video.video_url}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-11 items-center text-small text-action underline-offset-4 hover:underline"
    >
      {URL.canParse(video.video_url) ? new URL(video.video_url).hostname : "Address"}
    </a>
  );
}
