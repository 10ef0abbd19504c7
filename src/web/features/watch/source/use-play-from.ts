import { useCallback, useEffect, useRef, useState } from "react";
import { isWithinFilm, resumePosition } from "#domain/watch/progress";
import { play } from "../player/actions.ts";
import { hasBytes, isLacking, useLacking } from "../player/use-video.ts";
import type { FilmSource } from "./use-film-source.ts";
import { useLostConnection } from "./use-lost-connection.ts";

/** Attempts at one place of a film before it counts as one that does not play here. */
const maxFailures = 3;

/** Seconds after which a film that plays again has left the place where it failed. */
const pastFailureSeconds = 2;

/** Sets the source of a film, and goes on at a position in seconds. */
function load(video: HTMLVideoElement, url: string, position: number, plays: boolean): void {
  video.src = url;
  // Before anything is known of the film this is where it begins, so that nothing before is fetched.
  video.currentTime = position;
  if (position > 0) hideUntilThere(video);
  if (plays) void play(video);
}

/** Returns the address to load after so many failures at one place: from the second on without fragments, which this browser may not read (FILE-16). */
const layoutFor = (url: string, failures: number): string => (failures > 1 ? url.replace("&layout=fragments", "") : url);

/** Returns the path of the film that is loaded, the same for each of its links. */
const filmIn = (video: HTMLVideoElement): string | undefined => video.getAttribute("src")?.split("?")[0];

/** Hides the first picture of a film, which may be decoded before the one at its position is there. */
function hideUntilThere(video: HTMLVideoElement): void {
  const hide = (): void => {
    // A skip may have taken it back to its beginning, where it need not go first.
    if (video.currentTime > 0) video.style.opacity = "0";
  };
  const reveal = (): void => {
    video.style.opacity = "";
  };
  video.addEventListener("loadedmetadata", hide, { once: true });
  video.addEventListener("seeked", reveal, { once: true });
  video.addEventListener("error", reveal, { once: true });
}

export interface PlayFrom {
  /** Where the film went on, in seconds; 0 from its beginning. Undefined before it is known. */
  resumedAt: number | undefined;
  /** Whether the film failed again and again although it is sent. */
  isBroken: boolean;
  tryAgain: () => void;
}

/**
 * Loads a film from its source and plays it from where its viewer left it. A source that is renewed takes over at the next seek, where loading
 * is not noticed; one that failed is checked, renewed where needed, and the film goes on at its position (WATCH-5).
 */
export function usePlayFrom(video: HTMLVideoElement | null, film: FilmSource): PlayFrom {
  const { source, error, isWaiting, recover, restart } = film;
  const [resumedAt, setResumedAt] = useState<number>();
  const [isBroken, setBroken] = useState(false);
  const position = useRef<number>(undefined);
  const positionIn = useRef<string>(undefined);
  const failures = useRef({ count: 0, at: 0 });

  useEffect(() => {
    if (!video || !source?.url.startsWith("/")) return;
    if (!video.hasAttribute("src")) {
      const from = position.current ?? resumePosition(source.progress);
      position.current = from;
      setResumedAt((before) => before ?? from);
      load(video, source.url, from, true);
      return;
    }
    const url = layoutFor(source.url, failures.current.count);
    if (video.getAttribute("src") === url) return;
    // Nothing plays that loading would interrupt: the call that was to go on from here may have been overtaken by the one that found this source.
    if (video.error !== null || isLacking(video)) return load(video, url, position.current ?? 0, !video.paused);
    const takeOver = (): void => {
      const now = layoutFor(source.url, failures.current.count);
      if (video.getAttribute("src") !== now) load(video, now, video.currentTime, !video.paused);
    };
    video.addEventListener("seeking", takeOver, { once: true });
    return () => video.removeEventListener("seeking", takeOver);
  }, [video, source]);

  const goOn = useCallback(async (): Promise<void> => {
    const found = await recover();
    // Its bytes may have come meanwhile.
    if (!found || !video?.isConnected || hasBytes(video)) return;
    load(video, layoutFor(found.url, failures.current.count), position.current ?? 0, !video.paused);
  }, [video, recover]);
  const lacks = useLacking(video);
  useLostConnection(video, source?.url, lacks && !isWaiting, goOn);

  useEffect(() => {
    if (!video) return;
    const follow = (): void => {
      if (video.readyState === 0) return;
      position.current = video.currentTime;
      positionIn.current = filmIn(video);
      if (Math.abs(video.currentTime - failures.current.at) > pastFailureSeconds) failures.current.count = 0;
    };
    // A shorter film that replaced another would go on at its end.
    const beginAnew = (): void => {
      const at = { position_seconds: position.current ?? 0, duration_seconds: video.duration };
      const isOther = positionIn.current !== undefined && positionIn.current !== filmIn(video);
      if (isOther && !isWithinFilm(at)) video.currentTime = 0;
    };
    const fail = (): void => {
      failures.current = { count: failures.current.count + 1, at: position.current ?? 0 };
      if (failures.current.count > maxFailures) setBroken(true);
      else void goOn();
    };
    // A connection that is lost silently leaves the film waiting for ever.
    const reconnect = (): void => {
      if (isLacking(video)) void goOn();
    };
    video.addEventListener("loadedmetadata", beginAnew);
    video.addEventListener("timeupdate", follow);
    // While a jump waits for bytes, nothing else tells where it leads.
    video.addEventListener("seeking", follow);
    video.addEventListener("error", fail);
    addEventListener("online", reconnect);
    return () => {
      video.removeEventListener("loadedmetadata", beginAnew);
      video.removeEventListener("timeupdate", follow);
      video.removeEventListener("seeking", follow);
      video.removeEventListener("error", fail);
      removeEventListener("online", reconnect);
    };
  }, [video, goOn]);

  const tryAgain = async (): Promise<void> => {
    failures.current.count = 0;
    setBroken(false);
    const found = await restart();
    if (!found || error?.code !== "playing_elsewhere") return;
    // The device that played meanwhile may have left the film elsewhere.
    position.current = resumePosition(found.progress) || position.current;
    setResumedAt(position.current);
  };
  return { resumedAt, isBroken, tryAgain: () => void tryAgain() };
}
