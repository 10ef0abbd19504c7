import type { ReactNode } from "react";
import { useVideos } from "../../../../entities/video/queries.ts";
import { CaptionsPart } from "./captions-part.tsx";
import { AttachmentsPart } from "./attachments-part.tsx";
import { PosterPart } from "./poster-part.tsx";

/** What a stored lesson has beside its film; each change is saved at once. */
export function LessonMaterials({ id }: { id: string }): ReactNode {
  const video = useVideos().data?.find((one) => one.id === id);
  if (video === undefined) return null;
  // A film at an outside address plays there, without our captions.
  const hasPlayer = video.source === "upload" || video.captions.length > 0;
  return (
    <div className="mt-8 grid gap-8">
      <PosterPart video={video} />
      {hasPlayer && <CaptionsPart video={video} />}
      <AttachmentsPart video={video} />
    </div>
  );
}
