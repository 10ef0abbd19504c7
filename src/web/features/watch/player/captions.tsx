import { useEffect, useState, type ReactNode } from "react";

/** The captions of the chosen language, drawn here so that the controls never cover them. Drawn by the browser where the film alone is in full screen. */
export function Captions({ video, language }: { video: HTMLVideoElement | null; language: string | null }): ReactNode {
  const [lines, setLines] = useState<string[]>([]);
  useEffect(() => (video ? follow(video, language, setLines) : undefined), [video, language]);
  return (
    <div data-captions="" className="pointer-events-none flex flex-col items-center gap-1 px-4 text-center">
      {lines.map((line, index) => (
        <p
          // Two cues may say the same at once.
          key={index}
          className="rounded-control bg-ground/80 px-2 py-0.5 text-[clamp(0.875rem,2.4cqw,1.5rem)] whitespace-pre-line text-ink"
        >
          {line}
        </p>
      ))}
    </div>
  );
}

/** Returns the text of a cue without its marks. */
function textOf(cue: TextTrackCue): string {
  return cue instanceof VTTCue ? (cue.getCueAsHTML().textContent ?? "") : "";
}

/** Turns on the captions of a language, and off all others. Calls `onLines` with the text at each change. Returns a function that stops it. */
function follow(video: HTMLVideoElement, language: string | null, onLines: (lines: string[]) => void): () => void {
  const chosen = [...video.textTracks].find((track) => track.language === language);
  for (const track of video.textTracks) track.mode = track === chosen ? "hidden" : "disabled";
  if (!chosen) return () => {};
  const read = (): void => onLines([...(chosen.activeCues ?? [])].map((cue) => textOf(cue)));
  const beginAlone = (): void => void (chosen.mode = "showing");
  const endAlone = (): void => void (chosen.mode = "hidden");
  chosen.addEventListener("cuechange", read);
  video.addEventListener("webkitbeginfullscreen", beginAlone);
  video.addEventListener("webkitendfullscreen", endAlone);
  return () => {
    chosen.removeEventListener("cuechange", read);
    video.removeEventListener("webkitbeginfullscreen", beginAlone);
    video.removeEventListener("webkitendfullscreen", endAlone);
    onLines([]);
  };
}
