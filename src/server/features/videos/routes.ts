import { isChromium } from "../../platform/http/client/browser-engine.ts";
import { deviceIdOfBrowser } from "../../platform/http/client/device-cookie.ts";
import { originOf } from "../../platform/http/origin.ts";
import { forAdmin, forVerified, forVerifiedTrusted } from "../../platform/http/router.ts";
import { listVideos } from "./list.ts";
import { createVideo, deleteVideo, updateVideo } from "./manage.ts";
import { playVideo } from "./play.ts";
import { readProgress } from "./progress/read.ts";
import { saveProgress } from "./progress/save.ts";
import { removeSelected, updateSelected } from "./selection.ts";
import { videoView } from "./views.ts";

export const videoRoutes = {
  list: forVerifiedTrusted.videos.list.handler(({ context, input }) => listVideos(context.deps, context.principal, input)),
  create: forAdmin.videos.create.handler(async ({ context, input }) =>
    videoView(
      await createVideo(context.deps, context.actor, input.body, input.headers["idempotency-key"]),
      context.principal,
      context.deps.links,
    ),
  ),
  update: forAdmin.videos.update.handler(async ({ context, input }) =>
    videoView(
      await updateVideo(context.deps, context.actor, input.params.id, input.body),
      context.principal,
      context.deps.links,
    ),
  ),
  remove: forAdmin.videos.remove.handler(async ({ context, input }) => {
    await deleteVideo(context.deps, context.actor, input.params.id);
    return { deleted: true as const };
  }),
  updateSelected: forAdmin.videos.updateSelected.handler(async ({ context, input }) => ({
    ids: await updateSelected(context.deps, context.actor, input.ids, input.changes),
  })),
  removeSelected: forAdmin.videos.removeSelected.handler(async ({ context, input }) => ({
    ids: await removeSelected(context.deps, context.actor, input.ids),
  })),
  play: forVerified.videos.play.handler(async ({ context, input }) => {
    const { deps, principal, request, reply } = context;
    const origin = originOf(deps.config.server.publicUrl, request);
    const deviceId = deviceIdOfBrowser(request, reply, origin);
    const client = { ip: request.ip, deviceId, readsFragments: isChromium(request) };
    const { url, path, expires_at } = await playVideo(deps, principal, input.params.id, client);
    return {
      url: url ?? origin + path,
      expires_at: expires_at.toISOString(),
      watermark: deps.config.playback.watermark && principal.role === "student" ? principal.email : null,
      progress: await readProgress(deps, principal, input.params.id),
    };
  }),
  saveProgress: forVerified.videos.saveProgress.handler(({ context, input }) =>
    saveProgress(context.deps, context.principal, input.params.id, input.body),
  ),
};
