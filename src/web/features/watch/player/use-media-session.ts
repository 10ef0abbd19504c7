import { useEffect } from "react";
import { siteName } from "../../../platform/site.ts";
import { play, seek } from "./actions.ts";
import { lengthOf } from "./use-video.ts";

interface SessionOptions {
  title: string;
  module: string;
  poster: string | null;
  onSkip: (seconds: number) => void;
  onNext: (() => void) | undefined;
}

/** What a lock screen and the keys of a headset show and do. */
export function useMediaSession(
  video: HTMLVideoElement | null,
  { title, module, poster, onSkip, onNext }: SessionOptions,
): void {
  useEffect(() => {
    if (!video || !("mediaSession" in navigator)) return;
    const { mediaSession } = navigator;
    const artwork = poster === null ? [] : [{ src: poster }];
    mediaSession.metadata = new MediaMetadata({ title, artist: module, album: siteName(), artwork });
    const handlers: [MediaSessionAction, MediaSessionActionHandler | null][] = [
      ["play", () => void play(video)],
      ["pause", () => video.pause()],
      ["seekbackward", ({ seekOffset }) => onSkip(-(seekOffset ?? 10))],
      ["seekforward", ({ seekOffset }) => onSkip(seekOffset ?? 10)],
      ["seekto", ({ seekTime }) => seek(video, seekTime ?? 0)],
      ["nexttrack", onNext ?? null],
    ];
    for (const [action, handler] of handlers) mediaSession.setActionHandler(action, handler);
    return () => {
      mediaSession.metadata = null;
      for (const [action] of handlers) mediaSession.setActionHandler(action, null);
    };
  }, [video, title, module, poster, onSkip, onNext]);

  useEffect(() => {
    if (!video || !("mediaSession" in navigator)) return;
    const tell = (): void => {
      const duration = lengthOf(video);
      if (duration === 0) return;
      const position = Math.min(video.currentTime, duration);
      navigator.mediaSession.setPositionState({ duration, position, playbackRate: video.playbackRate });
    };
    const changes = ["loadedmetadata", "seeked", "ratechange", "play", "pause"];
    for (const change of changes) video.addEventListener(change, tell);
    return () => {
      for (const change of changes) video.removeEventListener(change, tell);
    };
  }, [video]);
}
