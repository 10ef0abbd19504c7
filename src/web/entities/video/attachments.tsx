import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { Attachment, Video } from "#domain/api/course/videos";
import { api } from "../../platform/api.ts";
import { fileSize } from "../../platform/format.ts";
import { saveFile } from "../../platform/save-file.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";

interface AttachmentsProps {
  video: Pick<Video, "id" | "attachments">;
  /** A further action for each file. */
  renderAction?: (attachment: Attachment) => ReactNode;
}

/** The files that a lesson offers, each with its size and a button that saves it (FILE-14). Renders nothing where there are none. */
export function Attachments({ video: { id, attachments }, renderAction }: AttachmentsProps): ReactNode {
  if (attachments.length === 0) return null;
  return (
    <ul className="grid divide-y divide-line rounded-control border border-line">
      {attachments.map((attachment) => (
        <li key={attachment.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 pr-2 pl-4">
          <span className="min-w-0 grow basis-40 text-small">
            <span className="block font-medium wrap-anywhere">{attachment.filename}</span>
            <span className="figures text-muted">{fileSize(attachment.size_bytes)}</span>
          </span>
          <span className="flex items-center gap-1">
            <SaveButton videoId={id} attachment={attachment} />
            {renderAction?.(attachment)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The link is made for this click: the server checks the tier, and the link ends soon. */
function SaveButton({ videoId, attachment }: { videoId: string; attachment: Attachment }): ReactNode {
  const save = useMutation({
    mutationFn: () => api.materials.openAttachment({ params: { id: videoId, attachment_id: attachment.id } }),
    onSuccess: ({ url }) => saveFile(url),
  });
  return (
    <span className="grid justify-items-end">
      <Button variant="quiet" disabled={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? <Spinner /> : <Download aria-hidden className="size-4" />}
        Download<span className="sr-only"> {attachment.filename}</span>
      </Button>
      <ActionError error={save.error} />
    </span>
  );
}
