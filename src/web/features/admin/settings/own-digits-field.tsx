import type { ComponentProps, ReactNode } from "react";
import { Checkbox } from "../../../ui/field.tsx";
import { useLinkedFocus } from "../../../ui/use-linked-focus.ts";

const id = "own-figures";

/** Whether amounts to one destination differ in their last digits (QUOTE-8). */
export function OwnDigitsField(props: Omit<ComponentProps<typeof Checkbox>, "label">): ReactNode {
  useLinkedFocus(id);
  return (
    <fieldset id={id} tabIndex={-1} className="grid gap-2 border-t border-line pt-5 outline-none">
      <legend className="sr-only">Telling payments apart</legend>
      <Checkbox label="Give each payment last digits of its own" {...props} />
      <p className="text-small text-muted">
        Recommended: two students who pay the same amount to the same place cannot be told apart. At most 0.99 THB, 999 satoshi
        or 0.00000999 ETH are added to an amount. Bitcoin needs no digits with an account key, since every quote has an address
        of its own.
      </p>
    </fieldset>
  );
}
