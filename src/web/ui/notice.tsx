import type { ReactNode } from "react";
import { Brand } from "./brand.tsx";
import { ButtonLink } from "./button.tsx";
import { ContactLine } from "./contact-line.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

interface NoticeProps {
  code: string;
  title: string;
  children: ReactNode;
  backTo: string;
  backLabel: string;
  action?: ReactNode;
}

/** A page that says one thing and shows the way back. */
export function Notice({ code, title, children, backTo, backLabel, action }: NoticeProps): ReactNode {
  return (
    <main id="content" tabIndex={-1} className="outline-none mx-auto grid min-h-dvh max-w-xl content-center gap-5 p-6">
      <div className="flex items-center justify-between gap-4">
        <Brand />
        <ThemeSwitch />
      </div>
      <p className="figures font-figures text-small text-action">{code}</p>
      <h1 className="text-heading">{title}</h1>
      <p className="text-muted">{children}</p>
      <div className="flex flex-wrap gap-3">
        {action}
        <ButtonLink to={backTo} variant="secondary">
          {backLabel}
        </ButtonLink>
      </div>
      <ContactLine>Questions? Write to</ContactLine>
    </main>
  );
}
