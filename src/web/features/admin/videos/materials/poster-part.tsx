import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { maxPosterBytes } from "#domain/materials/attachment";
import { ProductError } from "#domain/errors/messages";
import { Poster } from "../../../../entities/video/poster.tsx";
import { api } from "../../../../platform/api.ts";
import { logError, messageOf } from "../../../../platform/errors.ts";
import { ActionError } from "../../../../ui/action-error.tsx";
import { Button } from "../../../../ui/button.tsx";
import { FilePicker } from "../../../../ui/file-picker.tsx";
import { Spinner } from "../../../../ui/spinner.tsx";
import { FramePicker } from "./frame-picker.tsx";
import { Part } from "./part.tsx";
import { useMaterial } from "./use-material.ts";

/** The picture of a lesson: a frame of its uploaded film, or a picture of the admin's (FILE-15). */
export function PosterPart({ video }: { video: Video }): ReactNode {
  const params = { id: video.id };
  const save = useMaterial((file: File) => api.materials.savePoster({ params, body: { file } }));
  const remove = useMaterial(() => api.materials.removePoster({ params }));
  const film = useMutation({ mutationFn: () => api.videos.play({ params }) });
  const [frame, setFrame] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const isBusy = save.isPending || remove.isPending;

  const pick = (file: File): void => {
    const error = file.size < maxPosterBytes ? undefined : new ProductError("poster_too_large");
    if (error) logError(error);
    setProblem(error && messageOf(error, "unexpected"));
    if (!error) save.mutate(file);
  };
  const chooseFrame = (): void => {
    setProblem(undefined);
    film.mutate();
  };
  const close = (): void => {
    film.reset();
    setFrame(undefined);
  };

  return (
    <Part title="Poster" hint="The picture on the lesson's card and before its film plays.">
      <div className="grid gap-4 sm:grid-cols-[15rem_1fr] sm:items-start">
        <Poster video={video} className="w-full max-w-60" />
        <div className="grid gap-3">
          <FilePicker
            label="Choose a picture"
            hint="PNG, JPEG, WebP, AVIF or GIF, up to 10 MB; 1280 by 720 pixels are enough."
            accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
            file={undefined}
            error={problem ?? (save.error ? messageOf(save.error, "unexpected") : undefined)}
            disabled={isBusy}
            isOneOfSeveral
            onPick={pick}
          />
          <div className="flex flex-wrap items-center gap-3">
            {video.source === "upload" && film.data === undefined && (
              <Button variant="secondary" isBusy={film.isPending} disabled={isBusy} onClick={chooseFrame}>
                Choose a frame of the film
              </Button>
            )}
            {video.poster_url !== null && (
              <Button variant="danger" disabled={isBusy} onClick={() => remove.mutate(undefined)}>
                Remove poster
              </Button>
            )}
            {isBusy && <Spinner />}
          </div>
          <ActionError error={film.error ?? remove.error} />
        </div>
      </div>
      {film.data && (
        <div className="grid max-w-xl gap-3">
          <FramePicker
            source={pathOf(film.data.url)}
            disabled={isBusy}
            onFrame={setFrame}
            onUnplayable={() => setProblem("This browser cannot play the film. Please choose a picture instead.")}
          />
          <div className="flex flex-wrap gap-3">
            <Button disabled={frame === undefined || isBusy} onClick={() => frame && save.mutate(frame, { onSuccess: close })}>
              Use this frame
            </Button>
            <Button variant="secondary" disabled={isBusy} onClick={close}>
              Cancel
            </Button>
          </div>
        </div>
      )}
    </Part>
  );
}

/** On this page's own origin, whatever address the site has and wherever its films are: a canvas reads no film of another. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}&via=site`;
}
