import { useRef, useState } from "react";
import * as z from "zod/mini";
import { code } from "#domain/api/fields";
import { NewVideo, type Video } from "#domain/api/course/videos";
import type { ErrorCode } from "#domain/errors/messages";
import { minOrderIndex } from "#domain/video-access";
import { videosOptions } from "../../../entities/video/queries.ts";
import { api } from "../../../platform/api.ts";
import { useForm } from "../../../platform/form.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { useUpload } from "../../../platform/uploads/use-upload.ts";
import { useAskFirst, useUnsaved } from "../editing/leave-guard.tsx";
import { useSave } from "../editing/use-save.ts";
import { duplicatesOf, nextOrderIndex } from "./draft.ts";

export interface VideoFormProps {
  /** Undefined makes a new one. */
  video: Video | undefined;
  /** The whole course. */
  videos: Video[];
  /** Called with the id of the row that it makes; the form may stay open. */
  onMade: (id: string) => void;
  onClose: () => void;
}

/** What can be wrong with the film. */
const filmCodes: ErrorCode[] = [
  "video_source_missing",
  "video_type_invalid",
  "video_too_large",
  "file_empty",
  "file_unreadable",
];

/** The contract's rules over what the fields hold; a film must be at an address, uploaded, or stored already. */
const schemaFor = (hasStoredFilm: boolean) =>
  z
    .extend(NewVideo, {
      order_index: z.pipe(
        z.transform((text: string) => (text.trim() === "" ? Number.NaN : Number(text))),
        NewVideo.shape.order_index,
      ),
      video_url: z.pipe(
        z.transform((text: string): string | null | undefined => text.trim() || undefined),
        NewVideo.shape.video_url,
      ),
      file: z.optional(z.instanceof(File)),
    })
    .check(
      z.refine(({ file, video_url }) => Boolean(file ?? video_url) || hasStoredFilm, {
        error: code("video_source_missing"),
        path: ["file"],
        // Said together with what is wrong with the fields.
        when: () => true,
      }),
    );

/** The form of a lesson, which sends its film, then the fields, then the frame that becomes its poster. */
export function useVideoForm({ video, videos, onMade, onClose }: VideoFormProps) {
  const upload = useUpload("course-videos", { outlivesPage: true });
  const { save } = useSave<NewVideo>(video, api.videos, onMade);
  // Not state: a frame that is found during the upload becomes the poster too.
  const frame = useRef<File>(undefined);
  const [savedId, setSavedId] = useState(video?.id);
  const form = useForm({
    initial: {
      title: video?.title ?? "",
      description: video?.description ?? "",
      module: video?.module ?? "",
      order_index: String(video?.order_index ?? minOrderIndex),
      // The seller decides what is free, so nothing is chosen before.
      package_type: video?.package_type ?? "",
      video_url: video?.video_url ?? "",
      file: undefined as File | undefined,
    },
    schema: schemaFor(video?.source === "upload"),
    mutationFn: async ({ file, video_url, upload_id: _none, ...fields }) => {
      const source = file ? { upload_id: await upload.send(file) } : video_url ? { video_url } : {};
      // Without the poster the video is stored all the same: another submit changes it.
      const id = await save({ ...fields, ...source });
      setSavedId(id);
      // One may have been picked while the form was open.
      const hasPoster = queryClient
        .getQueryData(videosOptions.queryKey)
        ?.some((one) => one.id === id && one.poster_url != null);
      const poster = hasPoster === true ? undefined : frame.current;
      if (file && poster) await api.materials.savePoster({ params: { id }, body: { file: poster } });
    },
    fieldOfCode: Object.fromEntries(filmCodes.map((one) => [one, "file" as const])),
    onError: upload.forgetIfGone,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: videosOptions.queryKey }),
    onDone: () => close(),
  });
  const isUploading = upload.progress !== undefined;
  useUnsaved(form.isUnsaved || isUploading, {
    tab: "videos",
    text: isUploading ? "The film is still being uploaded: leaving ends that." : "The video in the form is not saved.",
  });
  // The lesson's downloads and captions are saved by themselves.
  const askFirst = useAskFirst("videos");
  const close = (): void => askFirst(onClose);
  const others = videos.filter(({ id }) => id !== savedId);
  // A number that was typed is kept.
  const isOrderTyped = useRef(false);
  return {
    form,
    upload,
    close,
    setFrame: (found: File | undefined): void => void (frame.current = found),
    duplicates: duplicatesOf(form.values, others),
    setModule: (module: string): void => {
      const order = module === video?.module ? video.order_index : nextOrderIndex(others, module);
      form.set(isOrderTyped.current ? { module } : { module, order_index: String(order) });
    },
    setOrderIndex: (order_index: string): void => {
      isOrderTyped.current = true;
      form.set({ order_index });
    },
  };
}
