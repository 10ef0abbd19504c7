import { isAbort, logError } from "../../../platform/errors.ts";
import { toggleFullScreen } from "./full-screen.ts";
import { nextRate, type Command } from "./keys.ts";
import type { Preferences } from "./preferences.ts";
import { lengthOf } from "./use-video.ts";

/** Plays; a browser that wants a click first leaves the film paused, with the large button over it. */
export async function play(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play();
  } catch (error) {
    const wantsClick = error instanceof DOMException && error.name === "NotAllowedError";
    if (!wantsClick && !isAbort(error)) logError(error);
  }
}

export function togglePlay(video: HTMLVideoElement): void {
  if (video.paused) void play(video);
  else video.pause();
}

/** Goes to a position in seconds. The browser ends it at the film's length, also where that is not known yet. */
export function seek(video: HTMLVideoElement, seconds: number): void {
  video.currentTime = Math.max(seconds, 0);
}

/** Moves by seconds, within the film. */
export function skip(video: HTMLVideoElement, seconds: number): void {
  seek(video, video.currentTime + seconds);
}

/** Sets volume and speed as the viewer wants them. */
export function prefer(video: HTMLVideoElement, { volume, muted, rate }: Preferences): void {
  Object.assign(video, { volume, muted, playbackRate: rate });
  // Another source resets the speed to this one.
  video.defaultPlaybackRate = rate;
}

/** Returns what switches the sound on or off; one that was turned down to nothing comes back at its loudest. */
export function toggledSound({ muted, volume }: Pick<Preferences, "muted" | "volume">): Partial<Preferences> {
  return muted || volume === 0 ? { muted: false, volume: volume || 1 } : { muted: true };
}

/** What the keys act on. */
export interface Keyboard {
  video: HTMLVideoElement;
  stage: HTMLElement;
  preferences: Preferences;
  change: (changes: Partial<Preferences>) => void;
  toggleCaptions: () => void;
  openHelp: () => void;
}

/** Does what a key asks for. */
export function obey(command: Command, { video, stage, preferences, change, toggleCaptions, openHelp }: Keyboard): void {
  switch (command.do) {
    case "toggle":
      return togglePlay(video);
    case "skip":
      return skip(video, command.seconds);
    case "jump":
      if (lengthOf(video) > 0) seek(video, command.share * lengthOf(video));
      return;
    case "louder":
      return change({ muted: false, volume: Math.min(Math.max(preferences.volume + command.by, 0), 1) });
    case "rate":
      return change({ rate: nextRate(preferences.rate, command.step) });
    case "mute":
      return change(toggledSound(preferences));
    case "captions":
      return toggleCaptions();
    case "fullScreen":
      void toggleFullScreen(stage, video).catch(logError);
      return;
    case "help":
      return openHelp();
  }
}
