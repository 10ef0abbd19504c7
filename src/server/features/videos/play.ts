import { ProductError } from "#domain/errors/messages";
import { canPlay, type Viewer } from "#domain/video-access";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import type { Principal } from "../../platform/http/access.ts";
import { openFragmentedFilm } from "../../platform/films/fragmented-film.ts";
import type { LayoutBytes } from "../../platform/storage/bucket.ts";
import { filmAddressSeconds } from "../../platform/storage/downloads/film-address.ts";
import type { LinkViewer } from "../../platform/storage/downloads/signed-links.ts";
import type { StoredObject } from "../../platform/storage/queries.ts";
import { continuePlaying, startPlaying, type PlayingClient } from "../playback/service.ts";
import * as queries from "./queries.ts";

/** Seconds a video's address is valid: longer than any lesson with its pauses. */
const playSeconds = 4 * 3600;

/** The layout that links to films name; nothing else about the file depends on it. */
const fragmentedLayout = "fragments";

/** An outside address, or a path on our own site. */
export type Playback = { url: string; path?: never; expires_at: Date } | { path: string; url?: never; expires_at: Date };

/**
 * Returns the address that plays a video for this viewer, whose tier is checked now (VIDEO-3). An outside address is returned as it is.
 * For an uploaded file it is the path of a signed link:
 * - It is valid for 4 hours, or for as long as the address at a store that sends the file (FILE-19).
 * - It is bound to the browser (DEVICE-3), which then counts as playing (DEVICE-1).
 * - It is to the film's fragmented layout for a browser that reads it, where there is one (FILE-16).
 *
 * Throws `video_not_found`, `video_locked` and `too_many_requests`.
 */
export async function playVideo(
  deps: Dependencies,
  viewer: Principal,
  id: string,
  client: PlayingClient & { readsFragments: boolean },
): Promise<Playback> {
  const video = await findPlayable(deps, viewer, id);
  if (video.video_url !== null) return { url: video.video_url, expires_at: secondsAfter(deps.clock.now(), playSeconds) };
  // A video without an address has a file.
  const file = await queries.findFile(deps.db, video.object_id!);
  // Stryker disable next-line ConditionFalse,StringLiteral: it goes between two statements of one request.
  if (file === undefined) throw new ProductError("video_not_found");
  await startPlaying(deps, viewer, client);
  const isSentByStore = deps.objects.addressOf !== undefined;
  const seconds = isSentByStore ? filmAddressSeconds : playSeconds;
  const { path, expires_at } = deps.links.sign("course-videos", file.name, viewer, seconds, client.deviceId);
  // A store has the ordinary layout alone.
  const isFragmented = client.readsFragments && file.fragments_at !== null && !isSentByStore;
  return { path: isFragmented ? `${path}&layout=${fragmentedLayout}` : path, expires_at };
}

/** Opens a film in its fragmented layout; undefined for other layouts, and for a film without one. */
export async function openFilmLayout(
  { db, objects }: Dependencies,
  object: StoredObject,
  layout: string,
): Promise<LayoutBytes | undefined> {
  if (layout !== fragmentedLayout) return undefined;
  const file = await queries.findFile(db, object.id);
  // Stryker disable next-line OptionalChaining: it goes between two statements of one request.
  return file?.fragments_at == null ? undefined : openFragmentedFilm(objects, object, file.fragments_at);
}

/** Returns a video that this viewer may play now (VIDEO-2). Throws `video_not_found` and `video_locked`. */
export async function findPlayable(deps: Dependencies, viewer: Viewer, id: string): Promise<queries.VideoRow> {
  const video = await queries.findById(deps.db, id);
  if (video === undefined) throw new ProductError("video_not_found");
  if (!canPlay(viewer, video.package_type)) throw new ProductError("video_locked");
  return video;
}

/**
 * Checks a request for a part of a film. Throws `not_allowed`, `video_locked` when the viewer may not play the video of this file now
 * (VIDEO-3), and `playing_elsewhere` (DEVICE-1).
 */
export async function checkFilmViewer(
  deps: Dependencies,
  viewer: LinkViewer,
  film: queries.LinkedFilm,
  isCheck: boolean,
): Promise<void> {
  const { role, subscription_status, package_type, playedAt, displacedAt } = film;
  if (role === null || package_type === null) throw new ProductError("not_allowed", { accountId: viewer.id });
  // Role and tier are of one account, and null together.
  if (!canPlay({ role, subscription_status: subscription_status! }, package_type)) throw new ProductError("video_locked");
  if (role === "admin") return;
  await continuePlaying(deps, { accountId: viewer.id, sessionId: viewer.sessionId, playedAt, displacedAt }, isCheck);
}
