import { Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Attachment, Video } from "#domain/api/course/videos";
import { attachmentExtensions, checkAttachmentFile, maxAttachments } from "#domain/materials/attachment";
import { useMe } from "../../../../entities/session/session.tsx";
import { Attachments } from "../../../../entities/video/attachments.tsx";
import { api } from "../../../../platform/api.ts";
import { isAbort, isTransient, logError, messageOf } from "../../../../platform/errors.ts";
import { fileSize } from "../../../../platform/format.ts";
import { useUpload } from "../../../../platform/uploads/use-upload.ts";
import { ActionError } from "../../../../ui/action-error.tsx";
import { IconButton } from "../../../../ui/button.tsx";
import { FilePicker } from "../../../../ui/file-picker.tsx";
import { UploadProgress } from "../../../../ui/upload-progress.tsx";
import { useUnsaved } from "../../editing/leave-guard.tsx";
import { Part } from "./part.tsx";
import { useMaterial } from "./use-material.ts";

/** The files that a lesson offers (FILE-14). */
export function AttachmentsPart({ video }: { video: Video }): ReactNode {
  const { id } = video;
  const maxBytes = useMe().max_upload_bytes["lesson-attachments"];
  const upload = useUpload("lesson-attachments", { outlivesPage: false });
  const [problem, setProblem] = useState<string>();
  const add = useMaterial(async (file: File) => {
    const upload_id = await upload.send(file);
    const attach = (): Promise<Video> => api.materials.addAttachment({ params: { id }, body: { upload_id } });
    try {
      return await attach();
    } catch (error) {
      if (!isTransient(error)) throw error;
      // Only the reply may have been lost; the same upload is attached once.
      return attach();
    }
  });
  const remove = useMaterial((attachment: Attachment) =>
    api.materials.removeAttachment({ params: { id, attachment_id: attachment.id } }),
  );
  const failure = add.error && !isAbort(add.error) ? messageOf(add.error, "unexpected") : undefined;
  useUnsaved(add.isPending || failure !== undefined, {
    tab: "videos",
    text:
      failure === undefined ? "A download is still being uploaded: leaving ends that." : "A download may not have been added.",
  });

  const pick = (file: File): void => {
    try {
      checkAttachmentFile(file, maxBytes);
      setProblem(undefined);
      const failed = add.isError && isTransient(add.error) ? add.variables : undefined;
      // The same file chosen again has the same upload, which may be attached already.
      add.mutate(failed && isSameFile(failed, file) ? failed : file);
    } catch (error) {
      logError(error);
      setProblem(messageOf(error, "unexpected"));
    }
  };

  return (
    <Part
      title="Downloads"
      hint={`PDF, XLSX, CSV, TXT, ZIP, images and indicators (pine, mq4, mq5, ex4, ex5); up to ${maxAttachments} files.`}
    >
      <Attachments
        video={video}
        renderAction={(attachment) => (
          <IconButton
            label={`Remove ${attachment.filename}`}
            className="hover:text-loss"
            disabled={remove.isPending}
            onClick={() => remove.mutate(attachment)}
          >
            <Trash2 aria-hidden className="size-4.5" />
          </IconButton>
        )}
      />
      <ActionError error={remove.error} />
      <FilePicker
        label="Add a file"
        hint={`Up to ${fileSize(maxBytes)}.`}
        accept={attachmentExtensions.join(",")}
        file={undefined}
        error={problem ?? failure}
        disabled={add.isPending}
        isOneOfSeveral
        onPick={pick}
      />
      <UploadProgress label="Uploading the file" value={upload.progress} onTryNow={upload.tryNow} onCancel={upload.cancel} />
    </Part>
  );
}

const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
