import {
  Captions as CaptionsIcon,
  Keyboard,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  RotateCcw,
  RotateCw,
} from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Captions } from "#domain/api/course/videos";
import { logError } from "../../../platform/errors.ts";
import { clockTime } from "../../../platform/format.ts";
import { IconButton } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { skip, toggledSound, togglePlay } from "./actions.ts";
import { Choice } from "./choice.tsx";
import { toggleFullScreen, togglePictureInPicture, useFullScreen } from "./full-screen.ts";
import { rates, type Preferences } from "./preferences.ts";
import { SeekBar } from "./seek-bar.tsx";
import { tapSkip } from "./taps.ts";
import { useLength, usePlaying, useTime } from "./use-video.ts";
import { Volume } from "./volume.tsx";

interface ControlsProps {
  video: HTMLVideoElement | null;
  stage: HTMLElement | null;
  captions: Captions[];
  /** That of the captions on the screen. */
  language: string | null;
  preferences: Preferences;
  change: (changes: Partial<Preferences>) => void;
  onHelp: () => void;
}

const rateOptions = rates.map((rate) => ({ value: String(rate), text: `${rate}×` }));
const noCaptions = "off";

/**
 * The bar below the film. What disappears where the player is narrow follows the player's width: on a low screen it is narrower than the
 * window. Playing, seeking, captions, speed and full screen are always there.
 */
export function Controls({ video, stage, captions, language, preferences, change, onHelp }: ControlsProps): ReactNode {
  const isPlaying = usePlaying(video);
  const isFull = useFullScreen();
  const time = useTime(video);
  const length = useLength(video);
  // Once the keys were off, the button stays: the focus returns to it when they are turned on again.
  const [wereKeysOff, setWereKeysOff] = useState(!preferences.keys);
  if (!preferences.keys && !wereKeysOff) setWereKeysOff(true);
  const withVideo = (act: (video: HTMLVideoElement) => void) => () => video && act(video);
  const captionOptions = [
    { value: noCaptions, text: "Captions off" },
    ...captions.map((track) => ({ value: track.language, text: track.label })),
  ];
  return (
    <div className="px-2 pb-1 @xl:px-4 @xl:pb-2">
      <SeekBar video={video} />
      <div className="flex items-center @xl:gap-1">
        <IconButton label={isPlaying ? "Pause" : "Play"} onClick={withVideo(togglePlay)}>
          {isPlaying ? <Pause aria-hidden className="size-5.5" /> : <Play aria-hidden className="size-5.5" />}
        </IconButton>
        <IconButton
          label={`Back ${tapSkip} seconds`}
          className="@max-xl:hidden"
          onClick={withVideo((film) => skip(film, -tapSkip))}
        >
          <RotateCcw aria-hidden className="size-5" />
        </IconButton>
        <IconButton
          label={`Forward ${tapSkip} seconds`}
          className="@max-xl:hidden"
          onClick={withVideo((film) => skip(film, tapSkip))}
        >
          <RotateCw aria-hidden className="size-5" />
        </IconButton>
        <Volume
          video={video}
          onMute={() => change(toggledSound(preferences))}
          onVolume={(volume) => change({ volume, muted: volume === 0 })}
        />
        {/* The length goes to a second line, which is not displayed, where there is no room for both. */}
        <p
          translate="no"
          className={cx(
            "figures flex h-lh min-w-min flex-1 flex-wrap gap-x-1 overflow-hidden px-1 text-small whitespace-nowrap",
            wereKeysOff ? "@max-[25rem]:hidden" : "@max-[22rem]:hidden",
          )}
        >
          {clockTime(time)} <span className="text-muted">/ {clockTime(length)}</span>
        </p>
        <div className="ml-auto flex min-w-0 items-center @xl:gap-1">
          {captions.length > 0 && (
            <Choice
              label="Captions"
              icon={<CaptionsIcon aria-hidden className="size-5" />}
              value={language ?? noCaptions}
              options={captionOptions}
              onChange={(chosen) => change({ captions: chosen === noCaptions ? null : chosen })}
            />
          )}
          <Choice
            label="Speed"
            value={String(preferences.rate)}
            options={rateOptions}
            onChange={(rate) => change({ rate: Number(rate) as Preferences["rate"] })}
          />
          {/* The only way back for keys that are off, except where the bar has no room for it. */}
          <IconButton
            label="Keyboard shortcuts"
            className={wereKeysOff ? "@max-[17rem]:hidden" : "pointer-coarse:hidden @max-3xl:hidden"}
            onClick={onHelp}
          >
            <Keyboard aria-hidden className="size-5" />
          </IconButton>
          {document.pictureInPictureEnabled && (
            <IconButton
              label="Picture in picture"
              className="@max-3xl:hidden"
              onClick={withVideo((film) => void togglePictureInPicture(film).catch(logError))}
            >
              <PictureInPicture2 aria-hidden className="size-5" />
            </IconButton>
          )}
          <IconButton
            label={isFull ? "Leave full screen" : "Full screen"}
            onClick={withVideo((film) => void (stage && toggleFullScreen(stage, film).catch(logError)))}
          >
            {isFull ? <Minimize aria-hidden className="size-5" /> : <Maximize aria-hidden className="size-5" />}
          </IconButton>
        </div>
      </div>
    </div>
  );
}
