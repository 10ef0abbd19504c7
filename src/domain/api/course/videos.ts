import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { playabilities } from "../../film.ts";
import { minOrderIndex, videoPackageTypes } from "../../video-access.ts";
import { isWithinFilm, maxFilmSeconds } from "../../watch/progress.ts";
import {
  code,
  id,
  idempotencyHeaders,
  line,
  pageOf,
  pageQuery,
  paragraphs,
  previewQuery,
  signedLink,
  timestamp,
} from "../fields.ts";

export const LessonProgress = z.object({ position_seconds: z.number(), done: z.boolean() });
export type LessonProgress = z.infer<typeof LessonProgress>;
/** Captions of a film in one language. */
export const Captions = z.object({
  /** A BCP 47 tag in its canonical form, such as `en` or `pt-BR`. */
  language: z.string(),
  label: z.string(),
  /** A path on this site: WebVTT, valid for at least 12 hours, the same for up to 12. */
  url: z.string(),
});
export type Captions = z.infer<typeof Captions>;

/** A file that is offered beside a film. */
export const Attachment = z.object({
  id,
  filename: z.string(),
  size_bytes: z.number(),
  content_type: z.string(),
});
export type Attachment = z.infer<typeof Attachment>;

export const Video = z.object({
  id,
  title: z.string(),
  description: z.string(),
  module: z.string(),
  /** Place of the module on the dashboard, from 1; null until the seller has placed it (PATH-1). */
  module_order: z.nullable(z.number()),
  order_index: z.number(),
  package_type: z.enum(videoPackageTypes),
  /** Where the film is: at an outside address, or uploaded to our own private bucket. */
  source: z.enum(["url", "upload"]),
  playable: z.boolean(),
  /** Of an uploaded film; null before it has been read and where the file does not say. */
  duration_seconds: z.nullable(z.number()),
  /** Of the caller (WATCH-1); null before the lesson was first played. */
  progress: z.nullable(z.extend(LessonProgress, { watched_at: timestamp })),
  /** Only for the admin, and only of an uploaded film (VIDEO-6); null while it is being prepared. */
  playability: z.optional(z.nullable(z.enum(playabilities))),
  /** Only in the admin's list, and only of an uploaded film: the name of its file. */
  film_filename: z.optional(z.string()),
  /** A path on this site, also of a locked lesson: a picture of at most 1280 by 1280, valid like the captions. */
  poster_url: z.nullable(z.string()),
  /** Ordered by language; empty where not playable. */
  captions: z.array(Captions),
  /** Oldest first; empty where not playable. */
  attachments: z.array(Attachment),
  /** Only for an outside address, and only where playable (VIDEO-3). */
  video_url: z.optional(z.string()),
});
export type Video = z.infer<typeof Video>;

const webAddress = z.url({ protocol: /^https?$/, error: code("video_url_invalid") }).check(z.maxLength(2000));

/** Also one that was named before dots were refused. */
export const anyModuleName = line(100, "module_missing");

/** Browsers leave a step of one or two dots out of an address, so nothing could be asked of such a module. */
export const moduleName = anyModuleName.check(z.refine((name) => ![".", ".."].includes(name), code("module_dots")));

export const videoTitle = line(200, "title_missing");

/** Whom a video is for. */
export const videoPackage = z.enum(videoPackageTypes, code("package_missing"));

const fields = {
  title: videoTitle,
  description: paragraphs(5000, "description_missing"),
  module: moduleName,
  order_index: z.number().check(z.int(), z.gte(minOrderIndex, code("order_index_too_small")), z.lte(1_000_000)),
  package_type: videoPackage,
  /** An empty one is none. */
  video_url: z.optional(
    z.nullable(
      z.union(
        [
          z.pipe(
            z.literal(""),
            z.transform(() => null),
          ),
          webAddress,
        ],
        code("video_url_invalid"),
      ),
    ),
  ),
  /** A finished upload to the course-videos bucket; wins over `video_url`. */
  upload_id: z.optional(z.nullable(id)),
};

export const NewVideo = z.object(fields);
export type NewVideo = z.infer<typeof NewVideo>;

export const VideoChanges = z.partial(z.object(fields));
export type VideoChanges = z.infer<typeof VideoChanges>;

/** The most videos that are changed or deleted together (VIDEOS-3). */
export const maxSelectedVideos = 100;

const selectedIds = z.array(id).check(z.minLength(1), z.maxLength(maxSelectedVideos));

export const SharedChanges = z
  .partial(z.object({ module: fields.module, package_type: fields.package_type }))
  .check(z.refine((changes) => Object.values(changes).some((value) => value !== undefined)));
export type SharedChanges = z.infer<typeof SharedChanges>;

const filmSeconds = z.number().check(z.gte(0), z.lte(maxFilmSeconds));

export const SavedProgress = z
  .object({
    position_seconds: filmSeconds,
    /** 0 while it is not known. */
    duration_seconds: filmSeconds,
    /** Marked by hand; left out, a lesson becomes done by itself (WATCH-2). */
    done: z.optional(z.boolean()),
  })
  .check(z.refine(isWithinFilm));
export type SavedProgress = z.infer<typeof SavedProgress>;

export const videos = {
  list: oc
    .route({ method: "GET", path: "/api/videos", summary: "Every video, ordered by module and order index" })
    .input(z.object({ ...pageQuery, ...previewQuery }))
    .output(pageOf(Video)),
  create: oc
    .route({
      method: "POST",
      path: "/api/videos",
      successStatus: 201,
      inputStructure: "detailed",
      summary: "Add a video",
    })
    .input(z.object({ headers: idempotencyHeaders, body: NewVideo }))
    .output(Video),
  update: oc
    .route({ method: "PATCH", path: "/api/videos/{id}", inputStructure: "detailed", summary: "Change a video" })
    .input(z.object({ params: z.object({ id }), body: VideoChanges }))
    .output(Video),
  remove: oc
    .route({ method: "DELETE", path: "/api/videos/{id}", inputStructure: "detailed", summary: "Delete a video and its file" })
    .input(z.object({ params: z.object({ id }) }))
    .output(z.object({ deleted: z.literal(true) })),
  updateSelected: oc
    .route({ method: "PATCH", path: "/api/videos", summary: "Change the module or the package of several videos, all or none" })
    .input(z.object({ ids: selectedIds, changes: SharedChanges }))
    .output(z.object({ ids: z.array(id) })),
  removeSelected: oc
    .route({ method: "POST", path: "/api/videos/delete", summary: "Delete several videos and their files, all or none" })
    .input(z.object({ ids: selectedIds }))
    .output(z.object({ ids: z.array(id) })),
  play: oc
    .route({ method: "POST", path: "/api/videos/{id}/play", inputStructure: "detailed", summary: "A link that plays a video" })
    .input(z.object({ params: z.object({ id }) }))
    .output(z.extend(signedLink, { watermark: z.nullable(z.string()), progress: z.nullable(LessonProgress) })),
  saveProgress: oc
    .route({
      method: "PUT",
      path: "/api/videos/{id}/progress",
      inputStructure: "detailed",
      summary: "Save where a lesson was left",
    })
    .input(z.object({ params: z.object({ id }), body: SavedProgress }))
    .output(LessonProgress),
};
