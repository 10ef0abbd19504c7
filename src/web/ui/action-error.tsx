import type { ReactNode } from "react";
import { isBeyondUser, messageOf } from "../platform/errors.ts";
import { ContactLine } from "./contact-line.tsx";
import { FieldError } from "./field.tsx";

/** The error of an action, at its button; with the contacts when the user cannot fix it (CONTACT-1). */
export function ActionError({ error }: { error: Error | null }): ReactNode {
  if (!error) return null;
  return (
    <div>
      <FieldError text={messageOf(error, "unexpected")} />
      {isBeyondUser(error) && <ContactLine>If this goes on, write to</ContactLine>}
    </div>
  );
}
