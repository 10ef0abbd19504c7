import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { isBeyondUser, messageOf } from "../../platform/errors.ts";
import { day } from "../../platform/format.ts";
import type { OwnUser } from "../../entities/session/account-calls.ts";
import { Badge } from "../../ui/badge.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { LoadError } from "../../ui/load-error.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useLinkedFocus } from "../../ui/use-linked-focus.ts";
import { enroll, unenroll } from "./calls.ts";
import { EnrolmentSteps } from "./enrolment-steps.tsx";
import { refreshAccount, useUser } from "./queries.ts";

/** Two-step sign-in: turning it on, what is left of the recovery codes, turning it off (FACTOR-1 to FACTOR-5). */
export function SecondFactorPanel(): ReactNode {
  const user = useUser();
  const enrolment = useMutation({ mutationFn: enroll });
  const factor = user.data?.factor;
  useLinkedFocus("second-factor");
  return (
    <Panel id="second-factor" tabIndex={-1} className="outline-none" aria-labelledby="account-second-factor">
      <PanelTitle
        id="account-second-factor"
        aside={user.data && <Badge tone={factor ? "gain" : "neutral"}>{factor ? "On" : "Off"}</Badge>}
      >
        Two-step sign-in
      </PanelTitle>
      {user.isPending && <Skeleton className="h-24" />}
      <LoadError error={user.error} fallback="unavailable" onRetry={() => void user.refetch()} isInPanel />
      {user.data &&
        (enrolment.data ? (
          <EnrolmentSteps enrolment={enrolment.data} onDone={enrolment.reset} />
        ) : factor ? (
          <TurnedOn factor={factor} />
        ) : (
          <div className="grid gap-5">
            <p className="text-small text-muted">
              With this on, signing in takes your password and a code from an app on your phone, such as Aegis, Google
              Authenticator or a password manager. A stolen password alone opens nothing.
            </p>
            {enrolment.error && (
              <Banner tone="loss" offersHelp={isBeyondUser(enrolment.error)}>
                {messageOf(enrolment.error, "unexpected")}
              </Banner>
            )}
            <Button variant="secondary" className="w-fit" isBusy={enrolment.isPending} onClick={() => enrolment.mutate()}>
              Set up
            </Button>
          </div>
        ))}
    </Panel>
  );
}

function TurnedOn({ factor }: { factor: NonNullable<OwnUser["factor"]> }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const removal = useMutation({
    mutationFn: () => unenroll(factor.id),
    onSuccess: async () => {
      await refreshAccount();
      setAsking(false);
    },
  });
  const { recoveryCodesLeft } = factor;
  return (
    <div className="grid gap-5">
      <Facts>
        <Fact name="Authenticator app, since">
          <time dateTime={factor.since}>{day(factor.since)}</time>
        </Fact>
        <Fact name="Recovery codes left">{recoveryCodesLeft} of 10</Fact>
      </Facts>
      {recoveryCodesLeft < 3 && (
        <Banner tone="caution" isAnnounced={false}>
          Few recovery codes are left. For new ones, turn two-step sign-in off and set it up again.
        </Banner>
      )}
      <Button variant="danger" className="w-fit" onClick={() => setAsking(true)}>
        Turn off
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Turn off two-step sign-in?"
        confirmLabel="Turn off"
        isDangerous
        isBusy={removal.isPending}
        error={removal.error ? messageOf(removal.error, "unexpected") : undefined}
        offersHelp={isBeyondUser(removal.error)}
        onConfirm={() => removal.mutate()}
        onCancel={() => {
          removal.reset();
          setAsking(false);
        }}
      >
        <p>Your password alone will open your account, and your recovery codes will no longer work.</p>
      </ConfirmDialog>
    </div>
  );
}
