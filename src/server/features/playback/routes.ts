import { forAdmin } from "../../platform/http/router.ts";
import { listSharedAccounts } from "./sharing.ts";

export const playbackRoutes = {
  sharing: forAdmin.playback.sharing.handler(({ context, input }) => listSharedAccounts(context.deps, input)),
};
