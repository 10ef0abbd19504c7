import { Trash2 } from "lucide-react";
import { useId, type ReactNode } from "react";
import { NewCaptions } from "#domain/api/course/materials";
import type { Captions, Video } from "#domain/api/course/videos";
import type { ErrorCode } from "#domain/errors/messages";
import { languageName, languageOfFilename } from "#domain/materials/language";
import { videosOptions } from "../../../../entities/video/queries.ts";
import { api } from "../../../../platform/api.ts";
import { useForm } from "../../../../platform/form.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { ActionError } from "../../../../ui/action-error.tsx";
import { Banner } from "../../../../ui/banner.tsx";
import { Button, IconButton } from "../../../../ui/button.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { FilePicker } from "../../../../ui/file-picker.tsx";
import { useUnsaved } from "../../editing/leave-guard.tsx";
import { Part } from "./part.tsx";
import { useMaterial } from "./use-material.ts";

/** Offered while a language is typed; any other tag is accepted too. */
const usualLanguages = ["en", "th", "de", "es", "fr", "id", "ja", "ko", "pt-BR", "ru", "vi", "zh-Hans", "zh-Hant"];

/** What can be wrong with the file. */
const fileCodes: ErrorCode[] = [
  "captions_encoding",
  "captions_empty",
  "captions_too_many",
  "captions_line_signature",
  "captions_line_time",
  "captions_line_end",
  "captions_line_order",
  "captions_line_gap",
];

/** The captions of a film, one file for each language (FILE-13). */
export function CaptionsPart({ video }: { video: Video }): ReactNode {
  const params = { id: video.id };
  const remove = useMaterial(({ language }: Captions) => api.materials.removeCaptions({ params: { ...params, language } }));
  return (
    <Part
      title="Captions"
      hint="One WebVTT (.vtt) or SubRip (.srt) file for each language, below 1 MB. Captions in the same language are replaced."
    >
      {video.captions.length > 0 && (
        <ul className="grid divide-y divide-line rounded-control border border-line">
          {video.captions.map((captions) => (
            <li key={captions.language} className="flex items-center justify-between gap-4 py-1 pr-2 pl-4 text-small">
              <span className="min-w-0 wrap-anywhere">
                <span className="font-medium">{captions.label}</span> <span className="text-muted">{captions.language}</span>
              </span>
              <IconButton
                label={`Remove ${captions.label} captions`}
                className="hover:text-loss"
                disabled={remove.isPending}
                onClick={() => remove.mutate(captions)}
              >
                <Trash2 aria-hidden className="size-4.5" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <ActionError error={remove.error} />
      <NewCaptionsForm videoId={video.id} />
    </Part>
  );
}

function NewCaptionsForm({ videoId }: { videoId: string }): ReactNode {
  const listId = useId();
  const form = useForm({
    initial: { file: undefined as File | undefined, language: "", label: "" },
    schema: NewCaptions,
    mutationFn: (body) => api.materials.saveCaptions({ params: { id: videoId }, body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: videosOptions.queryKey });
      form.reset();
    },
    fieldOfCode: Object.fromEntries(fileCodes.map((code) => [code, "file" as const])),
  });
  const { field, values, isPending } = form;
  useUnsaved(values.file !== undefined, { tab: "videos", text: "The chosen captions are not added." });
  // The name follows the language until it is changed by hand.
  const speak = (language: string): { language: string; label?: string } =>
    values.label === nameOf(values.language) ? { language, label: nameOf(language) } : { language };
  const pick = (file: File): void => {
    const language = languageOfFilename(file.name);
    form.set({ file, ...(language === undefined ? {} : speak(language)) });
  };

  return (
    <form className="grid gap-4" onSubmit={form.onSubmit} noValidate>
      <FilePicker
        label="Choose a caption file"
        hint="The file is checked line by line when you add it."
        accept=".vtt,.srt,text/vtt"
        file={values.file}
        error={form.errorOf("file")}
        disabled={isPending}
        isOneOfSeveral
        onPick={pick}
        onRemove={() => form.set({ file: undefined })}
      />
      {values.file && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="Language tag"
              hint="Such as en, th or pt-BR."
              list={listId}
              autoComplete="off"
              autoCapitalize="none"
              {...field("language")}
              onChange={(event) => form.set(speak(event.target.value))}
            />
            <datalist id={listId}>
              {usualLanguages.map((tag) => (
                <option key={tag} value={tag}>
                  {languageName(tag)}
                </option>
              ))}
            </datalist>
            <TextField label="Name of the language" hint="As students read it in the player." {...field("label")} />
          </div>
          {form.error !== undefined && <Banner tone="loss">{form.error}</Banner>}
          <Button type="submit" className="w-full sm:w-fit" isBusy={isPending}>
            Add captions
          </Button>
        </>
      )}
    </form>
  );
}

const nameOf = (language: string): string => (language === "" ? "" : languageName(language));
