import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import * as z from "zod/mini";
import { code } from "#domain/api/fields";
import { NewVideo, type Video } from "#domain/api/course/videos";
import { moduleNames } from "#domain/texts/texts";
import { checkVideoFile } from "#domain/upload-rules";
import { minOrderIndex } from "#domain/video-access";
import { useMe } from "../../../entities/session/session.tsx";
import { videosOptions } from "../../../entities/video/queries.ts";
import { api } from "../../../platform/api.ts";
import { logError, messageOf } from "../../../platform/errors.ts";
import { fileSize } from "../../../platform/format.ts";
import { useForm } from "../../../platform/form.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { useUpload } from "../../../platform/uploads/use-upload.ts";
import { Banner } from "../../../ui/banner.tsx";
import { TextArea, TextField } from "../../../ui/field.tsx";
import { FilePicker } from "../../../ui/file-picker.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { UploadProgress } from "../../../ui/upload-progress.tsx";
import { FormButtons } from "../form-buttons.tsx";
import { duplicatesOf, nextOrderIndex } from "./draft.ts";
import { LessonMaterials } from "./materials/lesson-materials.tsx";
import { PickedFilm } from "./materials/picked-film.tsx";
import { PackageField } from "./package-field.tsx";

interface VideoFormProps {
  /** Undefined makes a new one. */
  video: Video | undefined;
  /** The whole course. */
  videos: Video[];
  onClose: () => void;
}

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

export function VideoForm({ video, videos, onClose }: VideoFormProps): ReactNode {
  const upload = useUpload("course-videos", { outlivesPage: true });
  const maxBytes = useMe().max_upload_bytes["course-videos"];
  const hasStoredFilm = video?.source === "upload";
  const saved = useRef(video?.id);
  const [frame, setFrame] = useState<File>();
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
    schema: schemaFor(hasStoredFilm),
    mutationFn: async ({ file, video_url, upload_id: _none, ...fields }) => {
      const source = file ? { upload_id: await upload.send(file) } : video_url ? { video_url } : {};
      const body = { ...fields, ...source };
      const id = saved.current;
      const { id: savedId } = id ? await api.videos.update({ params: { id }, body }) : await api.videos.create(body);
      // Without the poster the video is stored all the same: another submit changes it.
      saved.current = savedId;
      if (file && frame) await api.materials.savePoster({ params: { id: savedId }, body: { file: frame } });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: videosOptions.queryKey });
      onClose();
    },
  });
  const [fileError, setFileError] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  const listId = useId();
  useEffect(() => heading.current?.focus(), []);

  const pick = (file: File): void => {
    setFrame(undefined);
    try {
      checkVideoFile(file, maxBytes);
      form.set({ file });
      setFileError(undefined);
    } catch (thrown) {
      logError(thrown);
      form.set({ file: undefined });
      setFileError(messageOf(thrown, "unexpected"));
    }
  };
  const { field, values, isPending } = form;
  const others = videos.filter(({ id }) => id !== video?.id);
  const duplicates = duplicatesOf(values, others);
  // A number that was typed is kept.
  const isOrderTyped = useRef(false);
  const setModule = (module: string): void => {
    const order = module === video?.module ? video.order_index : nextOrderIndex(others, module);
    form.set(isOrderTyped.current ? { module } : { module, order_index: String(order) });
  };
  const problem = form.errorOf("file") ?? form.error;

  return (
    <Panel aria-labelledby={`${listId}-title`}>
      <h2 id={`${listId}-title`} ref={heading} tabIndex={-1} className="mb-5 text-title outline-none">
        {video ? "Edit video" : "Add video"}
      </h2>
      <form className="grid gap-5" onSubmit={form.onSubmit} noValidate>
        <TextField label="Title" required {...field("title")} />
        <TextArea label="Description" required {...field("description")} />
        <div className="grid gap-5 sm:grid-cols-[2fr_1fr] lg:grid-cols-[2fr_1fr_2fr]">
          <TextField
            label="Module"
            required
            list={listId}
            autoComplete="off"
            {...field("module")}
            onChange={({ target }) => setModule(target.value)}
          />
          <datalist id={listId}>
            {[...new Set([...videos.map(({ module }) => module), ...moduleNames])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
          <TextField
            label="Order index"
            type="number"
            min={minOrderIndex}
            step={1}
            required
            className="figures"
            {...field("order_index")}
            onChange={({ target }) => {
              isOrderTyped.current = true;
              form.set({ order_index: target.value });
            }}
          />
          {/* Its choices are too long for a third of a narrow screen. */}
          <div className="sm:max-lg:col-span-2">
            <PackageField required {...field("package_type")} />
          </div>
        </div>
        <FilePicker
          label={values.file || hasStoredFilm ? "Choose another video file" : "Choose a video file"}
          hint={
            hasStoredFilm
              ? "The uploaded film stays unless you choose another."
              : `Up to ${fileSize(maxBytes)}; or give an address below.`
          }
          accept="video/*"
          file={values.file}
          error={fileError}
          disabled={isPending}
          isOneOfSeveral={video !== undefined}
          onPick={pick}
        />
        {values.file && (
          <PickedFilm file={values.file} disabled={isPending} onFrame={video?.poster_url == null ? setFrame : undefined} />
        )}
        {values.file && <p className="-mt-3 text-small text-muted">The file wins over an address.</p>}
        <TextField label="Video URL" type="url" inputMode="url" placeholder="https://" {...field("video_url")} />
        <div role="status" className="empty:hidden">
          {duplicates.length > 0 && (
            <Banner tone="caution" isAnnounced={false} title="Is this the same lesson twice?">
              {duplicates.map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </Banner>
          )}
        </div>
        {problem !== undefined && <Banner tone="loss">{problem}</Banner>}
        <UploadProgress label="Uploading the film" value={upload.progress} onTryNow={upload.tryNow} onCancel={upload.cancel} />
        <FormButtons save={video ? "Save changes" : "Save video"} isPending={isPending} onCancel={onClose} />
      </form>
      {video ? (
        <LessonMaterials id={video.id} />
      ) : (
        <p className="mt-5 text-small text-muted">Captions and downloads are added once the video is saved.</p>
      )}
    </Panel>
  );
}
