import type { ReactNode } from "react";
import { isBeyondUser, messageOf } from "../platform/errors.ts";
import { ContactLine } from "./contact-line.tsx";
import { FieldError } from "./field.tsx";

/** Why an action failed, at its button; names whom to ask about what nobody at the browser can put right (CONTACT-1). */
export function ActionError({ error }: { error: Error | null }): ReactNode {
  if (!error) return null;
  return (
    <div>
      <FieldError text={messageOf(error, "unexpected")} />
      {isBeyondUser(error) && <ContactLine>If this goes on, write to</ContactLine>}
    </div>
  );
}
