import { useSyncExternalStore } from "react";

/** Safari on the iPhone has no full screen but that of the film itself, under a name of its own, and no `fullscreenElement`. */
type AppleVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

function watchFullScreen(onChange: () => void): () => void {
  document.addEventListener("fullscreenchange", onChange);
  return () => document.removeEventListener("fullscreenchange", onChange);
}

export function useFullScreen(): boolean {
  return useSyncExternalStore(watchFullScreen, () => Boolean(document.fullscreenElement));
}

/** Enters or leaves full screen: of the stage with its controls where the browser can, else of the film alone. */
export async function toggleFullScreen(stage: HTMLElement, video: AppleVideo): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else if (document.fullscreenEnabled) await stage.requestFullscreen();
  else video.webkitEnterFullscreen?.();
}

export async function togglePictureInPicture(video: HTMLVideoElement): Promise<void> {
  if (document.pictureInPictureElement === video) await document.exitPictureInPicture();
  else await video.requestPictureInPicture();
}
