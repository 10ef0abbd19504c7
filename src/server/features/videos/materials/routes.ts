import { maxPosterBytes } from "#domain/materials/attachment";
import { maxCaptionBytes } from "#domain/materials/webvtt";
import { requireAdmin } from "../../../platform/http/access.ts";
import type { FormRoute } from "../../../platform/http/form-bodies.ts";
import { originOf } from "../../../platform/http/origin.ts";
import { forAdmin, forVerified } from "../../../platform/http/router.ts";
import { addAttachment, openAttachment, removeAttachment } from "./attachments.ts";
import { removeCaptions, saveCaptions } from "./captions.ts";
import { removePoster, savePoster } from "./poster.ts";
import { readVideo } from "./read.ts";

/** Bytes by which a file may exceed its limit and still get the error that names the limit. */
const formBytes = 256 * 1024;

/** The calls that take a form. */
export const materialForms: FormRoute[] = [
  { method: "POST", url: "/api/videos/:id/captions", maxBytes: maxCaptionBytes + formBytes, check: requireAdmin },
  { method: "PUT", url: "/api/videos/:id/poster", maxBytes: maxPosterBytes + formBytes, check: requireAdmin },
];

export const materialRoutes = {
  saveCaptions: forAdmin.materials.saveCaptions.handler(async ({ context, input: { params, body } }) => {
    await saveCaptions(context.deps, context.actor, params.id, body);
    return readVideo(context.deps, context.principal, params.id);
  }),
  removeCaptions: forAdmin.materials.removeCaptions.handler(async ({ context, input: { params } }) => {
    await removeCaptions(context.deps, context.actor, params.id, params.language);
    return readVideo(context.deps, context.principal, params.id);
  }),
  addAttachment: forAdmin.materials.addAttachment.handler(async ({ context, input: { params, body } }) => {
    await addAttachment(context.deps, context.actor, params.id, body.upload_id);
    return readVideo(context.deps, context.principal, params.id);
  }),
  removeAttachment: forAdmin.materials.removeAttachment.handler(async ({ context, input: { params } }) => {
    await removeAttachment(context.deps, context.actor, params.id, params.attachment_id);
    return readVideo(context.deps, context.principal, params.id);
  }),
  openAttachment: forVerified.materials.openAttachment.handler(async ({ context, input: { params } }) => {
    const { deps, principal, request } = context;
    const { path, expires_at } = await openAttachment(deps, principal, params.id, params.attachment_id);
    const origin = originOf(deps.config.server.publicUrl, request);
    return { url: origin + path, expires_at: expires_at.toISOString() };
  }),
  savePoster: forAdmin.materials.savePoster.handler(async ({ context, input: { params, body } }) => {
    await savePoster(context.deps, context.actor, params.id, body.file);
    return readVideo(context.deps, context.principal, params.id);
  }),
  removePoster: forAdmin.materials.removePoster.handler(async ({ context, input: { params } }) => {
    await removePoster(context.deps, context.actor, params.id);
    return readVideo(context.deps, context.principal, params.id);
  }),
};
