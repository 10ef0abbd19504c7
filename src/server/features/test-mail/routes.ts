import { forAdmin } from "../../platform/http/router.ts";
import { readTestMail } from "./read.ts";
import { sendTestMail } from "./send.ts";

export const testMailRoutes = {
  send: forAdmin.testMail.send.handler(({ context, input }) =>
    sendTestMail(context.deps, context.principal, context.actor, input.to),
  ),
  read: forAdmin.testMail.read.handler(({ context, input }) => readTestMail(context.deps, input.params.id)),
};
