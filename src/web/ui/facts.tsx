import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import { cx } from "./cx.ts";

/** Names on the left, values on the right, a hairline between rows: a statement of account. */
export function Facts({ children }: { children: ReactNode }): ReactNode {
  return <dl className="divide-y divide-line">{children}</dl>;
}

interface FactProps {
  name: ReactNode;
  strong?: boolean;
  /** "no" for amounts, addresses, names and codes, which a translating browser must leave as they are (TEXT-3). */
  translate?: "no" | undefined;
  children: ReactNode;
}

export function Fact({ name, strong, translate, children }: FactProps): ReactNode {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5">
      <dt className="text-small text-muted">{name}</dt>
      <dd
        translate={translate}
        className={cx("figures min-w-0 text-right", strong ? "text-title font-semibold" : "font-medium")}
      >
        {children}
      </dd>
    </div>
  );
}

interface CopyFactProps {
  name: ReactNode;
  /** What is copied. */
  text: string;
  /** The same as people read it. */
  readAs?: string;
  /** Names it for those who hear the button. */
  what: string;
  strong?: boolean;
}

/** A value below its name, and the button that copies it. */
export function CopyFact({ name, text, readAs = text, what, strong }: CopyFactProps): ReactNode {
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-3 py-2">
      <dt className="text-small text-muted">{name}</dt>
      <dd
        translate="no"
        className={cx("figures row-start-2 min-w-0 wrap-anywhere", strong ? "text-title font-semibold" : "font-medium")}
      >
        {readAs}
      </dd>
      <dd className="row-span-2">
        <CopyButton text={text} what={what} />
      </dd>
    </div>
  );
}
