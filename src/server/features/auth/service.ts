/** What other features, `app.ts` and `main.ts` use of accounts and sessions; one file an action. */
export { createAdmin } from "./admin.ts";
export { authenticator } from "./authenticate.ts";
export { changePassword } from "./change-password.ts";
export { redeemRecovery, requestRecovery } from "./recovery.ts";
export { refreshSession, signOut } from "./sessions.ts";
export { confirmPassword, signIn } from "./sign-in.ts";
export { signUp } from "./sign-up.ts";
export { getAccount } from "./account.ts";
