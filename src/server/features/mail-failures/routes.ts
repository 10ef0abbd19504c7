import { forAdmin } from "../../platform/http/router.ts";
import { listFailures } from "./list.ts";
import { dismiss, sendAgain } from "./resolve.ts";

export const mailFailureRoutes = {
  list: forAdmin.mailFailures.list.handler(({ context, input }) => listFailures(context.deps, input)),
  sendAgain: forAdmin.mailFailures.sendAgain.handler(async ({ context, input }) => {
    await sendAgain(context.deps, context.actor, input.params.id);
    return { queued: true } as const;
  }),
  dismiss: forAdmin.mailFailures.dismiss.handler(async ({ context, input }) => {
    await dismiss(context.deps, context.actor, input.params.id);
    return { deleted: true } as const;
  }),
};
