import { useEffect, useId, useRef, useState, type SubmitEvent, type ReactNode } from "react";
import { NewVideo, type Video } from "#domain/api/videos";
import { moduleNames } from "#domain/texts";
import { checkVideoFile } from "#domain/upload-rules";
import { minOrderIndex, videoPackageTypes } from "#domain/video-access";
import { api } from "../../platform/api.ts";
import { logError, messageOf, refusal } from "../../platform/errors.ts";
import { queryClient, queryKeys } from "../../platform/query-client.ts";
import { isCancelled, useUpload } from "../../platform/use-upload.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { FilePicker } from "../../ui/file-picker.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { UploadProgress } from "../../ui/upload-progress.tsx";
import { checkForm, focusFirstError, type FieldErrors } from "./field-errors.ts";

interface VideoFormProps {
  /** Undefined makes a new one. */
  video: Video | undefined;
  modules: string[];
  onClose: () => void;
}

const packageLabels: Record<(typeof videoPackageTypes)[number], string> = {
  both: "Both: every verified student",
  starter: "Starter and Advanced",
  advanced: "Advanced only",
};

export function VideoForm({ video, modules, onClose }: VideoFormProps): ReactNode {
  const [values, setValues] = useState({
    title: video?.title ?? "",
    description: video?.description ?? "",
    module: video?.module ?? "",
    order_index: String(video?.order_index ?? minOrderIndex),
    package_type: video?.package_type ?? "both",
    video_url: video?.video_url ?? "",
  });
  const [file, setFile] = useState<File>();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const film = useUpload("course-videos");
  const heading = useRef<HTMLHeadingElement>(null);
  const listId = useId();
  useEffect(() => heading.current?.focus(), []);

  const set = (name: keyof typeof values) => (event: { target: { value: string } }) => {
    setValues((before) => ({ ...before, [name]: event.target.value }));
    setErrors((before) => ({ ...before, [name]: undefined }));
  };

  const pick = (picked: File | undefined): void => {
    if (!picked) return;
    try {
      checkVideoFile(picked);
      setFile(picked);
      setErrors((before) => ({ ...before, file: undefined }));
      setError(undefined);
    } catch (thrown) {
      logError(thrown);
      setFile(undefined);
      setErrors((before) => ({ ...before, file: messageOf(thrown, "unexpected") }));
    }
  };

  const save = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setError(undefined);
    const url = values.video_url.trim();
    const keepsFilm = video?.source === "upload" && url === "";
    const checked = checkForm(NewVideo, {
      ...values,
      order_index: values.order_index.trim() === "" ? Number.NaN : Number(values.order_index),
      video_url: url === "" ? undefined : url,
    });
    const hasSource = file !== undefined || url !== "" || keepsFilm;
    if (!hasSource) setError(refusal("video_source_missing"));
    if (checked.errors) {
      setErrors(checked.errors);
      return focusFirstError(event.currentTarget);
    }
    if (!hasSource) return;

    setSaving(true);
    try {
      const { video_url, upload_id: _none, ...fields } = checked.data;
      const source = file ? { upload_id: await film.send(file) } : keepsFilm ? {} : { video_url };
      if (video) await api.videos.update({ params: { id: video.id }, body: { ...fields, ...source } });
      else await api.videos.create({ ...fields, ...source });
      await queryClient.invalidateQueries({ queryKey: queryKeys.videos });
      onClose();
    } catch (thrown) {
      if (!isCancelled(thrown)) setError(messageOf(thrown, "unexpected"));
    } finally {
      setSaving(false);
    }
  };

  return (
    <Panel aria-labelledby={`${listId}-title`}>
      <h2 id={`${listId}-title`} ref={heading} tabIndex={-1} className="mb-5 text-title outline-none">
        {video ? "Edit video" : "Add video"}
      </h2>
      <form className="grid gap-5" onSubmit={(event) => void save(event)} noValidate>
        <TextField label="Title" name="title" required value={values.title} error={errors["title"]} onChange={set("title")} />
        <TextArea
          label="Description"
          name="description"
          required
          value={values.description}
          error={errors["description"]}
          onChange={set("description")}
        />
        <div className="grid gap-5 sm:grid-cols-[2fr_1fr_2fr]">
          <TextField
            label="Module"
            name="module"
            required
            list={listId}
            autoComplete="off"
            value={values.module}
            error={errors["module"]}
            onChange={set("module")}
          />
          <datalist id={listId}>
            {[...new Set([...modules, ...moduleNames])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
          <TextField
            label="Order index"
            name="order_index"
            type="number"
            min={minOrderIndex}
            step={1}
            required
            className="figures"
            value={values.order_index}
            error={errors["order_index"]}
            onChange={set("order_index")}
          />
          <SelectField label="Package" name="package_type" value={values.package_type} onChange={set("package_type")}>
            {videoPackageTypes.map((type) => (
              <option key={type} value={type}>
                {packageLabels[type]}
              </option>
            ))}
          </SelectField>
        </div>
        <FilePicker
          label={file || video?.source === "upload" ? "Choose another video file" : "Choose a video file"}
          hint={
            video?.source === "upload"
              ? "The uploaded film stays unless you choose another."
              : "Up to 5 GB; or give an address below."
          }
          accept="video/*"
          file={file}
          error={errors["file"]}
          disabled={isSaving}
          onPick={pick}
        />
        {file && <p className="-mt-3 text-small text-muted">The file wins over an address.</p>}
        <TextField
          label="Video URL"
          name="video_url"
          type="url"
          inputMode="url"
          placeholder="https://"
          value={values.video_url}
          error={errors["video_url"]}
          onChange={set("video_url")}
        />
        {error !== undefined && <Banner tone="loss">{error}</Banner>}
        <UploadProgress label="Uploading the film" value={film.progress} onTryNow={film.tryNow} onCancel={film.cancel} />
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button kind="secondary" disabled={isSaving} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={isSaving}>
            {isSaving && <Spinner />}
            {isSaving ? "Saving..." : video ? "Save changes" : "Save video"}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
