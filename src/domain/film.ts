/** Whether browsers play an uploaded film, and if not, why (VIDEO-6). */
export const playabilities = [
  "plays",
  "starts_late",
  "video_codec",
  "audio_codec",
  "no_video",
  "container",
  "encrypted",
  "damaged",
] as const;
export type Playability = (typeof playabilities)[number];

/** The kinds of film files; the content of `other` is not read. */
export type FilmContainer = "mp4" | "quicktime" | "webm" | "matroska" | "other";

/** What the headers of a film's file state, without decoding it. */
export interface FilmFacts {
  container: FilmContainer;
  /** Null where the file does not say. */
  durationSeconds: number | null;
  /** Pixels, as displayed; null where the file does not say. */
  width: number | null;
  height: number | null;
  /** One name a track, as RFC 6381 writes it or as the container names it. */
  videoCodecs: string[];
  audioCodecs: string[];
  isEncrypted: boolean;
  /** The file is truncated, or has no index that can be read. */
  isDamaged: boolean;
  /** The index is at the end of the file, so a browser reads the end before it plays. */
  hasLateIndex: boolean;
}

/** H.264 with 8 bits and 4:2:0 (profiles 66, 77, 88 and 100), VP8, VP9 and AV1. */
const playableVideo = /^(?:avc[13](?:\.(?:42|4d|58|64).*)?|vp0?[89]|av01|V_VP8|V_VP9|V_AV1)$/;

/** AAC and MP3 by their object types (ISO/IEC 14496-1), Opus, FLAC and Vorbis. */
const playableAudio = /^(?:mp4a(?:\.(?:40|66|67|68|69|6b))?|\.mp3|Opus|fLaC|A_OPUS|A_VORBIS)$/;

/**
 * Returns the playability of a film: the first of these that applies.
 * - `container`: neither MP4 nor WebM. `damaged`, `encrypted`: as the file says.
 * - `no_video`: no video track. `video_codec`, `audio_codec`: it has such tracks, none of a kind that every current browser decodes.
 * - `starts_late`: it plays, once the end of the file has been read. `plays`: at once.
 */
export function playabilityOf(facts: FilmFacts): Playability {
  const { container, videoCodecs, audioCodecs } = facts;
  if (container !== "mp4" && container !== "webm") return "container";
  if (facts.isDamaged) return "damaged";
  if (facts.isEncrypted) return "encrypted";
  if (videoCodecs.length === 0) return "no_video";
  if (!videoCodecs.some((codec) => playableVideo.test(codec))) return "video_codec";
  if (audioCodecs.length > 0 && !audioCodecs.some((codec) => playableAudio.test(codec))) return "audio_codec";
  return facts.hasLateIndex ? "starts_late" : "plays";
}
