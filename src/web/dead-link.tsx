import type { ReactNode } from "react";
import { useTitle } from "./platform/site.ts";
import { ButtonLink } from "./ui/button.tsx";
import { Notice } from "./ui/notice.tsx";

/** Shown in place of a film or screenshot whose signed link is refused (FILE-11). */
export function DeadLinkPage(): ReactNode {
  useTitle("This link no longer opens");
  return (
    <Notice
      code="Link"
      title="This link no longer opens"
      backTo="/"
      backLabel="Back to the course page"
      action={<ButtonLink to="/auth">Sign in or open your dashboard</ButtonLink>}
    >
      Links to films and screenshots end after a while, and at once when you sign out or change your password. Open the film or
      screenshot from your dashboard again.
    </Notice>
  );
}
