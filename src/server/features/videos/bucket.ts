import { safeExtension } from "#domain/files/file-names";
import { videoType } from "#domain/files/file-types";
import type { Config } from "../../config.ts";
import { requireAdmin } from "../../platform/http/access.ts";
import type { UploadBucket } from "../../platform/storage/bucket.ts";
import { checkFilmViewer, openFilmLayout } from "./play.ts";
import { findAllUnusedFiles, findLinkedFilm, type LinkedFilm } from "./queries.ts";

/** Returns the stored name of a film: its id, with an extension that fits its type. */
export function filmName(id: string, filename: string, contentType: string): string {
  return `${id}${safeExtension(filename, contentType)}`;
}

/** Returns the bucket of course videos: uploaded by the admin, open to whoever may play them at the time (VIDEO-3). */
export function videoBucket(config: Config): UploadBucket<LinkedFilm> {
  return {
    name: "course-videos",
    maxBytes: config.files.maxVideoBytes,
    checkUploader: requireAdmin,
    contentType: videoType,
    wrongType: "video_type_invalid",
    tooLarge: "video_too_large",
    nameFor: ({ id, filename, contentType }) => filmName(id, filename, contentType),
    findLinked: findLinkedFilm,
    checkViewer: checkFilmViewer,
    // The admin's page takes a frame of the film as its poster, which another origin refuses.
    maySendBySite: ({ role }) => role === "admin",
    openLayout: openFilmLayout,
    unused: findAllUnusedFiles,
  };
}
