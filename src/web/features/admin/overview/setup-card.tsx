import { CircleCheck, Circle } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { SetupStep } from "#domain/api/overview";
import { Button } from "../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { useCloseSetup, useSetup } from "./queries.ts";

const settings = "/admin?tab=settings";
/** Each leads to the form itself, which takes the focus. */
const texts: Record<SetupStep, { title: string; hint: string; to: string }> = {
  destinations: {
    title: "Say where payments go",
    hint: "Save your own Bitcoin or Ethereum address, or your bank account. Nobody may pay to the sample ones.",
    to: `${settings}#wallet`,
  },
  contact: {
    title: "Tell students how to reach you",
    hint: "Set CONTACT_EMAIL or CONTACT_URL where the site is started. It is displayed on every page and in every mail.",
    to: `${settings}#environment`,
  },
  mail: {
    title: "Have mails delivered",
    hint: "Set SMTP_URL where the site is started, then send yourself a test mail. A mail counts for 30 days.",
    to: `${settings}#test-mail`,
  },
  lesson: { title: "Add your first lesson", hint: "A film or a link to one.", to: "/admin?tab=videos#new-video" },
  second_factor: {
    title: "Protect your account with a second factor",
    hint: "Whoever has your password alone cannot change where payments go.",
    to: "/account#second-factor",
  },
  own_figures: {
    title: "Tell payments apart",
    hint: "Give each payment last digits of its own, or each Bitcoin payment an address of its own.",
    to: `${settings}#own-figures`,
  },
};

/** What a new shop still needs, until all is done or the admin dismisses it (STATS-8). */
export function SetupCard(): ReactNode {
  const { data: setup } = useSetup();
  const close = useCloseSetup();
  if (setup === undefined || setup.closed) return null;
  const done = setup.steps.filter((step) => step.done).length;
  return (
    <Panel aria-labelledby="setup">
      <PanelTitle
        id="setup"
        aside={
          <Button variant="quiet" size="small" className="-mx-3" disabled={close.isPending} onClick={() => close.mutate()}>
            Do not show again
          </Button>
        }
      >
        Set up your shop
      </PanelTitle>
      <p className="figures -mt-2 mb-4 text-small text-muted">
        {done} of {setup.steps.length} steps done
      </p>
      <ul className="grid gap-x-8 gap-y-1 md:grid-cols-2">
        {setup.steps.map(({ step, done: isDone }) => (
          <Step key={step} step={step} isDone={isDone} />
        ))}
      </ul>
    </Panel>
  );
}

function Step({ step, isDone }: { step: SetupStep; isDone: boolean }): ReactNode {
  const { title, hint, to } = texts[step];
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="flex gap-3 py-2">
      <Icon aria-hidden className={isDone ? "mt-0.5 size-5 shrink-0 text-gain" : "mt-0.5 size-5 shrink-0 text-muted"} />
      <div className="min-w-0">
        {isDone ? (
          <p className="text-muted">
            {title} <span className="sr-only">(done)</span>
          </p>
        ) : (
          <>
            <Link to={to} className="font-medium text-action underline-offset-4 hover:underline">
              {title}
            </Link>
            <p className="text-small text-muted">{hint}</p>
          </>
        )}
      </div>
    </li>
  );
}
