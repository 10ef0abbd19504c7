/** What the rest of the server may call. */
export { newCode } from "./code-hash.ts";
export { verificationRemovals } from "./retention.ts";
export { sendVerificationEmail } from "./send-code.ts";
export { verificationStatus } from "./status.ts";
