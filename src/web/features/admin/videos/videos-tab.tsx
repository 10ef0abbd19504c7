import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Video } from "#domain/api/videos";
import { texts } from "#domain/texts/texts";
import { packageTag } from "#domain/video-access";
import { useMe } from "../../../entities/session/session.tsx";
import { useVideos, videosOptions } from "../../../entities/video/queries.ts";
import { api } from "../../../platform/api.ts";
import { fileSize } from "../../../platform/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { DataTable, type Column } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { DeleteDialog } from "../delete-dialog.tsx";
import { NotLoaded } from "../not-loaded.tsx";
import { UploadedFilm } from "./uploaded-film.tsx";
import { VideoForm } from "./video-form.tsx";

const columnsFor = (edit: (video: Video) => void, remove: (video: Video) => void): Column<Video>[] => [
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
  { name: "Module", cell: (video) => video.module },
  { name: "Order", isFigure: true, cell: (video) => video.order_index },
  { name: "Package", cell: (video) => <Badge className="capitalize">{packageTag(video.package_type)}</Badge> },
  { name: "Film", cell: (video) => <Source video={video} /> },
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

export function VideosTab(): ReactNode {
  const { max_upload_bytes } = useMe();
  const videos = useVideos();
  // The video in the form, if the form is open.
  const [edited, setEdited] = useState<Video | "new">();
  const [deleting, setDeleting] = useState<Video>();
  const rows = videos.data ?? [];
  const columns = columnsFor(setEdited, setDeleting);
  return (
    <div className="grid gap-6">
      {edited === undefined ? (
        <Button className="w-full sm:w-fit" onClick={() => setEdited("new")}>
          <Plus aria-hidden className="size-4" />
          Add video
        </Button>
      ) : (
        <VideoForm
          key={edited === "new" ? "new" : edited.id}
          video={edited === "new" ? undefined : edited}
          modules={[...new Set(rows.map(({ module }) => module))]}
          onClose={() => setEdited(undefined)}
        />
      )}
      {videos.isPending ? (
        <Skeleton className="h-48" />
      ) : videos.isLoadingError ? (
        <NotLoaded what="videos" retry={() => void videos.refetch()} />
      ) : rows.length === 0 ? (
        <Empty title="No videos yet">
          Add the first one: a file of up to {fileSize(max_upload_bytes["course-videos"])}, or the address of a film that is
          elsewhere.
        </Empty>
      ) : (
        <DataTable caption="Videos by module and order" columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <DeleteDialog
        row={deleting}
        title="Delete video"
        remove={({ id }) => api.videos.remove({ params: { id } })}
        queryKey={videosOptions.queryKey}
        onClose={() => setDeleting(undefined)}
      >
        <p>{texts.admin.confirmDeleteVideo}</p>
        <p className="font-medium text-ink">{deleting?.title}</p>
      </DeleteDialog>
    </div>
  );
}

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
