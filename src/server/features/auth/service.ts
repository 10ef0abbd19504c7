/** What the rest of the server may call. */
export { requireStudentAccount } from "./account.ts";
export { createAdmin } from "./admin/create-admin.ts";
export { endAdminSessions } from "./admin/end-sessions.ts";
export { NoAdminError, resetAdminPassword, resetSecondFactor } from "./admin/reset-admin.ts";
export { limitKey, networkOf } from "./limits/keys.ts";
export { confirmPassword } from "./passwords/confirm.ts";
export { deleteAccount, deleteUnfinishedSignUps, lockAddress, unlessVerifiedElsewhere } from "./queries.ts";
export { authRemovals } from "./retention.ts";
export { removeSecondFactor } from "./second-factor/remove-by-admin.ts";
export { authenticator, linkAuthenticator } from "./sessions/authenticate.ts";
export { lockCaller } from "./sessions/lock-caller.ts";
export { endStudentSessions, listSessionsOf } from "./sessions/of-student.ts";
export { isSignInSlowed } from "./sign-in.ts";
export { randomToken, tokenHash } from "./sessions/tokens.ts";
