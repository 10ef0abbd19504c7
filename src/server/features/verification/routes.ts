import { forSignedIn } from "../../platform/http/router.ts";
import { sendVerificationEmail } from "./send-code.ts";
import { verifyEmail } from "./verify-email.ts";

export const verificationRoutes = {
  sendVerificationEmail: forSignedIn.account.sendVerificationEmail.handler(({ context, input }) =>
    sendVerificationEmail(context.deps, context.principal, input.email),
  ),
  verifyEmail: forSignedIn.account.verifyEmail.handler(({ context, input }) =>
    verifyEmail(context.deps, context.principal, input.code),
  ),
};
