import { useEffect, useId, type ReactNode } from "react";
import { optionalMailKinds, optionalMails, type OptionalMailKind } from "#domain/mail-choices";
import type { SubscriptionStatus } from "#domain/packages";
import { useMailChoices, useSaveMailChoice } from "../../entities/mail-choices/queries.ts";
import { isBeyondUser, messageOf } from "../../platform/errors.ts";
import { Banner } from "../../ui/banner.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { LoadError } from "../../ui/load-error.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Where mails link to. */
const anchor = "mails";

/** The optional mails, each saved as it is chosen (MAIL-8). */
export function MailsPanel({ tier }: { tier: SubscriptionStatus }): ReactNode {
  const choices = useMailChoices();
  const saving = useSaveMailChoice();
  useEffect(() => {
    // The panel comes after the browser has looked for the anchor.
    if (location.hash === `#${anchor}`) document.getElementById(anchor)?.scrollIntoView();
  }, []);
  const { variables: saved } = saving;
  return (
    <Panel id={anchor} aria-labelledby="account-mails">
      <PanelTitle id="account-mails">Mails</PanelTitle>
      <div className="grid gap-5">
        <p className="text-small text-muted">
          Codes, security notices and mails about your payments are always sent. The others are your choice.
        </p>
        <LoadError error={choices.error} fallback="unavailable" onRetry={() => void choices.refetch()} isInPanel />
        {saving.error && !choices.error && (
          <Banner tone="loss" offersHelp={isBeyondUser(saving.error)}>
            {messageOf(saving.error, "unavailable")}
          </Banner>
        )}
        {choices.isPending && <Skeleton className="h-24" />}
        {choices.data &&
          optionalMailKinds.map((kind) => (
            <Choice
              key={kind}
              kind={kind}
              hint={hintOf(kind, tier)}
              isOn={choices.data[kind]}
              onChange={(wanted) => saving.mutate({ kind, wanted })}
            />
          ))}
        <p role="status" className="text-small text-gain empty:hidden">
          {saving.isSuccess && saved ? `Saved: ${optionalMails[saved.kind].name} ${saved.wanted ? "on" : "off"}.` : ""}
        </p>
      </div>
    </Panel>
  );
}

interface ChoiceProps {
  kind: OptionalMailKind;
  hint: string;
  isOn: boolean;
  onChange: (wanted: boolean) => void;
}

function Choice({ kind, hint, isOn, onChange }: ChoiceProps): ReactNode {
  const hintId = useId();
  return (
    <div className="grid gap-1">
      <Checkbox
        label={<span className="font-medium">{optionalMails[kind].name}</span>}
        aria-describedby={hintId}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      <p id={hintId} className="pl-9 text-small text-muted">
        {hint}
      </p>
    </div>
  );
}

function hintOf(kind: OptionalMailKind, tier: SubscriptionStatus): string {
  if (kind === "live_session_reminder") {
    return `Before each live session.${tier === "advanced" ? "" : " Live sessions are part of Advanced."}`;
  }
  return `New lessons and changes.${tier === "unpaid" ? " It turns on with your first package, unless you choose otherwise." : ""}`;
}
