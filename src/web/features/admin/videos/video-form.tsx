import { useEffect, useId, useRef, type ComponentProps, type ReactNode } from "react";
import { moduleNames } from "#domain/texts/texts";
import { minOrderIndex } from "#domain/video-access";
import { Banner } from "../../../ui/banner.tsx";
import { TextArea, TextField } from "../../../ui/field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { UploadProgress } from "../../../ui/upload-progress.tsx";
import { FormButtons } from "../form-buttons.tsx";
import { FilmField } from "./materials/film-field.tsx";
import { LessonMaterials } from "./materials/lesson-materials.tsx";
import { PackageField } from "./package-field.tsx";
import { useVideoForm, type VideoFormProps } from "./use-video-form.ts";

/** Adds a lesson, or changes one with its materials. */
export function VideoForm(props: VideoFormProps): ReactNode {
  const { video, videos } = props;
  const { form, upload, close, setFrame, duplicates, setModule, setOrderIndex } = useVideoForm(props);
  const { field, values, isPending } = form;
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  return (
    <Panel aria-labelledby={titleId}>
      <h2 id={titleId} ref={heading} tabIndex={-1} className="mb-5 text-title outline-none">
        {video ? "Edit video" : "Add video"}
      </h2>
      <form className="grid gap-5" onSubmit={form.onSubmit} noValidate>
        <TextField label="Title" required {...field("title")} />
        <TextArea label="Description" required {...field("description")} />
        <div className="grid gap-5 sm:grid-cols-[2fr_1fr] lg:grid-cols-[2fr_1fr_2fr]">
          <ModuleField
            names={videos.map(({ module }) => module)}
            {...field("module")}
            onChange={({ target }) => setModule(target.value)}
          />
          <TextField
            label="Order index"
            type="number"
            min={minOrderIndex}
            step={1}
            required
            className="figures"
            {...field("order_index")}
            onChange={({ target }) => setOrderIndex(target.value)}
          />
          {/* Its choices are too long for a third of a narrow screen. */}
          <div className="sm:max-lg:col-span-2">
            <PackageField required {...field("package_type")} />
          </div>
        </div>
        <FilmField
          video={videos.find(({ id }) => id === video?.id)}
          file={values.file}
          error={form.errorOf("file")}
          disabled={isPending}
          onFile={(file) => form.set({ file })}
          onFrame={setFrame}
        />
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
        {form.error !== undefined && <Banner tone="loss">{form.error}</Banner>}
        <UploadProgress label="Uploading the film" value={upload.progress} onTryNow={upload.tryNow} onCancel={upload.cancel} />
        <FormButtons save={video ? "Save changes" : "Save video"} isPending={isPending} onCancel={close} />
      </form>
      {video ? (
        <LessonMaterials id={video.id} />
      ) : (
        <p className="mt-5 text-small text-muted">Captions and downloads are added once the video is saved.</p>
      )}
    </Panel>
  );
}

interface ModuleFieldProps extends Omit<ComponentProps<typeof TextField>, "label"> {
  /** Those of the course, offered before the usual ones. */
  names: readonly string[];
}

function ModuleField({ names, ...rest }: ModuleFieldProps): ReactNode {
  const listId = useId();
  return (
    <>
      <TextField label="Module" required list={listId} autoComplete="off" {...rest} />
      <datalist id={listId}>
        {[...new Set([...names, ...moduleNames])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
