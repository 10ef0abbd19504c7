/** What other features and the server's list of removals call. */
export { continuePlaying, notePlaying } from "./continue-playing.ts";
export { playbackRemovals } from "./retention.ts";
export { startPlaying, type PlayingClient } from "./start-playing.ts";
