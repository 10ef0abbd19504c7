import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { maxPosterBytes } from "../../materials/attachment.ts";
import { canonicalLanguage } from "../../materials/language.ts";
import { maxCaptionBytes } from "../../materials/webvtt.ts";
import { code, id, line, signedLink } from "../fields.ts";
import { Video } from "./videos.ts";

/** A BCP 47 tag; `EN-us` means `en-US`. */
const language = z.string().check(
  z.overwrite((tag) => canonicalLanguage(tag) ?? tag),
  z.refine((tag) => canonicalLanguage(tag) !== undefined, code("language_invalid")),
);

export const NewCaptions = z.object({
  /** WebVTT or SubRip in UTF-8. */
  file: z.file(code("captions_file_missing")).check(z.maxSize(maxCaptionBytes - 1, code("captions_too_large"))),
  language,
  /** The language as students read it. */
  label: line(60, "language_name_missing"),
});

export const NewPoster = z.object({
  file: z.file(code("poster_invalid")).check(z.maxSize(maxPosterBytes - 1, code("poster_too_large"))),
});

const ofVideo = z.object({ id });
const ofAttachment = z.object({ id, attachment_id: id });

/** Calls of the admin return the lesson as it is now. Those with a `file` take a form (RFC 7578). */
export const materials = {
  saveCaptions: oc
    .route({
      method: "POST",
      path: "/api/videos/{id}/captions",
      inputStructure: "detailed",
      successStatus: 201,
      summary: "Add captions to a video, or replace those of their language",
    })
    .input(z.object({ params: ofVideo, body: NewCaptions }))
    .output(Video),
  removeCaptions: oc
    .route({
      method: "DELETE",
      path: "/api/videos/{id}/captions/{language}",
      inputStructure: "detailed",
      summary: "Remove the captions of a language",
    })
    .input(z.object({ params: z.object({ id, language }) }))
    .output(Video),
  addAttachment: oc
    .route({
      method: "POST",
      path: "/api/videos/{id}/attachments",
      inputStructure: "detailed",
      successStatus: 201,
      summary: "Attach a finished upload to a video",
    })
    .input(z.object({ params: ofVideo, body: z.object({ upload_id: id }) }))
    .output(Video),
  removeAttachment: oc
    .route({
      method: "DELETE",
      path: "/api/videos/{id}/attachments/{attachment_id}",
      inputStructure: "detailed",
      summary: "Remove an attachment and its file",
    })
    .input(z.object({ params: ofAttachment }))
    .output(Video),
  openAttachment: oc
    .route({
      method: "POST",
      path: "/api/videos/{id}/attachments/{attachment_id}/open",
      inputStructure: "detailed",
      summary: "A link that downloads an attachment",
    })
    .input(z.object({ params: ofAttachment }))
    .output(signedLink),
  savePoster: oc
    .route({
      method: "PUT",
      path: "/api/videos/{id}/poster",
      inputStructure: "detailed",
      summary: "Set the picture of a video",
    })
    .input(z.object({ params: ofVideo, body: NewPoster }))
    .output(Video),
  removePoster: oc
    .route({
      method: "DELETE",
      path: "/api/videos/{id}/poster",
      inputStructure: "detailed",
      summary: "Remove the picture of a video",
    })
    .input(z.object({ params: ofVideo }))
    .output(Video),
};
