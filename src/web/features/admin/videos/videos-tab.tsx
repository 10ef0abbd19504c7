import { Eye, Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import type { Video } from "#domain/api/course/videos";
import { texts } from "#domain/texts/texts";
import { useMe } from "../../../entities/session/session.tsx";
import { useVideos, videosOptions } from "../../../entities/video/queries.ts";
import { api } from "../../../platform/api.ts";
import { fileSize } from "../../../platform/format.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useLinkedFocus } from "../../../ui/use-linked-focus.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { useEditedRow } from "../editing/use-edited-row.ts";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { CourseList } from "./course/course-list.tsx";
import { NotBegun } from "./not-begun.tsx";
import { VideoForm } from "./video-form.tsx";

/** A link that ends with it leads to the form. */
const formId = "new-video";

export function VideosTab(): ReactNode {
  const { max_upload_bytes } = useMe();
  const videos = useVideos();
  const { edited, key: formKey, edit, made, close, forget } = useEditedRow<Video>("videos");
  const [deleting, setDeleting] = useState<Video>();
  // A link to the form opens it once each time it is followed.
  const { hash, key } = useLocation();
  const [followed, setFollowed] = useState<string>();
  if (hash === `#${formId}` && followed !== key) {
    setFollowed(key);
    if (edited === undefined) edit("new");
  }
  useLinkedFocus(formId);
  const rows = videos.data ?? [];
  return (
    <div className="grid gap-6">
      {edited === undefined ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button className="w-full sm:w-fit" onClick={() => edit("new")}>
            <Plus aria-hidden className="size-4" />
            Add video
          </Button>
          <ButtonLink variant="secondary" className="w-full sm:w-fit" to="/admin/preview?tier=unpaid">
            <Eye aria-hidden className="size-4" />
            Preview as a student
          </ButtonLink>
        </div>
      ) : (
        <div id={formId} tabIndex={-1} className="outline-none">
          <VideoForm key={formKey} video={edited === "new" ? undefined : edited} videos={rows} onMade={made} onClose={close} />
        </div>
      )}
      {videos.isPending ? (
        <Skeleton className="h-48" />
      ) : videos.isLoadingError ? (
        <EmptyLoadError what="videos" retry={() => void videos.refetch()} />
      ) : rows.length === 0 ? (
        <Empty title="No videos yet">
          Add the first one: a file of up to {fileSize(max_upload_bytes["course-videos"])}, or the address of a film that is
          elsewhere.
        </Empty>
      ) : (
        <>
          <CourseList onEdit={edit} onRemove={setDeleting} onRemoved={forget} />
          <NotBegun />
        </>
      )}
      <DeleteDialog
        row={deleting}
        title="Delete video"
        remove={async ({ id }) => {
          await api.videos.remove({ params: { id } });
          forget([id]);
        }}
        queryKey={videosOptions.queryKey}
        onClose={() => setDeleting(undefined)}
      >
        <p>{texts.admin.confirmDeleteVideo}</p>
        <p className="font-medium text-ink">{deleting?.title}</p>
      </DeleteDialog>
    </div>
  );
}
