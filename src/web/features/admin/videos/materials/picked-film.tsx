import { useState, type ReactNode } from "react";
import { Banner } from "../../../../ui/banner.tsx";
import { Film } from "./film.tsx";
import { FramePicker } from "./frame-picker.tsx";

interface PickedFilmProps {
  file: File;
  disabled: boolean;
  /** Gets the frame that becomes the poster; without it the lesson keeps the one it has. */
  onFrame: ((frame: File | undefined) => void) | undefined;
}

/** A film that was chosen and not yet sent: the frame that becomes its poster, or that this browser cannot play it. */
export function PickedFilm({ file, disabled, onFrame }: PickedFilmProps): ReactNode {
  const [unplayable, setUnplayable] = useState<File>();
  const giveUp = (): void => setUnplayable(file);
  if (unplayable === file) {
    return (
      <Banner tone="caution" title="This browser cannot play the film">
        Students may not be able to either. Export it as H.264 with AAC audio in an MP4 and choose that file, or upload this one
        all the same.
      </Banner>
    );
  }
  if (onFrame === undefined) {
    return (
      <Film
        source={file}
        hidden
        preload="metadata"
        onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && giveUp()}
        onError={giveUp}
      />
    );
  }
  return (
    <div className="grid max-w-xl gap-2">
      <p className="text-small font-medium">Poster: the picture on the lesson's card</p>
      <FramePicker
        key={`${file.name} ${file.size} ${file.lastModified}`}
        source={file}
        disabled={disabled}
        onFrame={onFrame}
        onUnplayable={giveUp}
      />
    </div>
  );
}
