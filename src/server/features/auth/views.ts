import type { Me } from "#domain/api/account";
import { maxAttachmentBytes } from "#domain/materials/attachment";
import type { Config } from "../../config.ts";
import type { Principal } from "../../platform/http/access.ts";

/** Returns the caller's own profile, with the status of the code that verifies the address, and how large files may be. */
export function meView(principal: Principal, verification: Me["verification"], files: Config["files"]): Me {
  return {
    id: principal.id,
    email: principal.email,
    full_name: principal.full_name,
    subscription_status: principal.subscription_status,
    email_verified: principal.email_verified,
    role: principal.role,
    second_factor: principal.hasSecondFactor,
    verification,
    max_upload_bytes: {
      "payment-screenshots": files.maxScreenshotBytes,
      "course-videos": files.maxVideoBytes,
      "lesson-attachments": maxAttachmentBytes,
    },
  };
}
