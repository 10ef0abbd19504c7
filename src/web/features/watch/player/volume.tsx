import { Volume1, Volume2, VolumeX } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { useVolume } from "./use-video.ts";

interface VolumeProps {
  video: HTMLVideoElement | null;
  onMute: () => void;
  onVolume: (volume: number) => void;
}

/** Sound off or on, and how loud. Phones have keys for that, and the iPhone lets no page decide. */
export function Volume({ video, onMute, onVolume }: VolumeProps): ReactNode {
  const volume = useVolume(video);
  const Icon = volume === 0 ? VolumeX : volume < 0.5 ? Volume1 : Volume2;
  return (
    <div className="flex items-center @max-xs:hidden">
      <IconButton label={volume === 0 ? "Sound on" : "Sound off"} onClick={onMute}>
        <Icon aria-hidden className="size-5" />
      </IconButton>
      <input
        type="range"
        aria-label="Volume"
        aria-valuetext={`${Math.round(volume * 100)}%`}
        data-own-arrows=""
        min={0}
        max={1}
        step={0.05}
        value={volume}
        onChange={({ target }) => onVolume(target.valueAsNumber)}
        className="h-11 w-18 cursor-pointer pointer-coarse:hidden @max-2xl:hidden"
      />
    </div>
  );
}
