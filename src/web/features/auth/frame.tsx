import type { ReactNode } from "react";
import { Link } from "react-router";
import { Brand } from "../../ui/brand.tsx";
import { ContactLine } from "../../ui/contact-line.tsx";
import { ThemeSwitch } from "../../ui/theme-switch.tsx";

interface FrameProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
}

const steps = [
  { title: "Create an account", text: "Your name, your email, a password." },
  { title: "Verify your email", text: "We send a 6-digit code, valid for 10 minutes." },
  { title: "Pay once", text: "For the package you choose; a person checks it, usually within 24 hours." },
];

/** A step that follows a click starts at its heading; at the first sight of the page, and in Firefox before 120, the browser's own order is kept. */
function startHere(heading: HTMLHeadingElement | null): void {
  if (navigator.userActivation?.hasBeenActive) heading?.focus();
}

/** The sheet that every step of signing in stands on. */
export function Frame({ title, lead, children }: FrameProps): ReactNode {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[1fr_26rem]">
      <main
        id="content"
        tabIndex={-1}
        className="outline-none mx-auto grid w-full max-w-md content-start gap-8 px-5 py-8 sm:content-center sm:py-14"
      >
        <div className="flex items-center justify-between gap-4">
          <Link to="/" className="inline-flex w-fit rounded-control py-1">
            <Brand />
          </Link>
          <ThemeSwitch />
        </div>
        <div>
          <h1 key={title} ref={startHere} tabIndex={-1} className="text-heading outline-none">
            {title}
          </h1>
          <p className="mt-2 text-muted">{lead}</p>
        </div>
        {children}
        <ContactLine>Questions? Write to</ContactLine>
      </main>
      <aside aria-label="How it works" className="hidden content-center border-l border-line bg-surface px-10 lg:grid">
        <ol className="grid gap-8">
          {steps.map((step, index) => (
            <li key={step.title} className="grid grid-cols-[2.5rem_1fr]">
              <span aria-hidden className="figures text-small text-action">
                {String(index + 1).padStart(2, "0")}
              </span>
              <div>
                <p className="font-medium">{step.title}</p>
                <p className="text-small text-muted">{step.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </aside>
    </div>
  );
}

/** A line of text that does something, such as changing from login to sign-up. */
export function TextButton({
  onClick,
  disabled,
  children,
}: {
  onClick: () => void;
  disabled?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <button
      type="button"
      // Not `disabled`, which would lose the focus.
      aria-disabled={disabled}
      onClick={() => !disabled && onClick()}
      className="inline-flex min-h-9 items-center rounded-control text-small font-medium text-action underline-offset-4 hover:underline aria-disabled:cursor-default aria-disabled:text-muted aria-disabled:no-underline"
    >
      {children}
    </button>
  );
}
