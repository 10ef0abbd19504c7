/** What the rest of the server may call. */
export { continuePlaying, notePlaying } from "./continue-playing.ts";
export { playbackRemovals } from "./retention.ts";
export { startPlaying, type PlayingClient } from "./start-playing.ts";
