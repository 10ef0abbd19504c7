import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api } from "../../../../platform/api.ts";
import { isBeyondUser, messageOf } from "../../../../platform/errors.ts";
import { counted } from "../../../../platform/format.ts";
import { Button } from "../../../../ui/button.tsx";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { openQuotesOptions } from "./queries.ts";

/** Ends every open quote after a question that says how many there are (GUARD-4). */
export function VoidQuotes(): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const voiding = useMutation({ mutationFn: () => api.guard.voidQuotes(), onSuccess: () => setAsking(false) });
  const { error, data } = voiding;
  return (
    <Panel aria-label="Open quotes">
      <PanelTitle>Open quotes</PanelTitle>
      <div className="grid gap-3">
        <p className="text-small text-muted">
          Students who opened the payment page before you changed an address or a price see the former one for up to 30 minutes.
          Void their quotes to show them the new one now.
        </p>
        <Button variant="secondary" className="w-fit" onClick={() => setAsking(true)}>
          Void open quotes
        </Button>
        <p role="status" className="text-small text-gain empty:hidden">
          {data && `${counted(data.count, "open quote")} ended.`}
        </p>
      </div>
      {isAsking && (
        <ConfirmDialog
          open
          title="Void open quotes?"
          confirmLabel="Void open quotes"
          isDangerous
          isBusy={voiding.isPending}
          error={error === null ? undefined : messageOf(error, "unexpected")}
          offersHelp={error !== null && isBeyondUser(error)}
          onConfirm={() => voiding.mutate()}
          onCancel={() => {
            voiding.reset();
            setAsking(false);
          }}
        >
          <Question />
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function Question(): ReactNode {
  const open = useQuery(openQuotesOptions);
  const count = open.data ? counted(open.data.count, "open quote") : "The open quotes";
  return <p>{count} will end at once. The payment pages of these students get new ones and say what changed.</p>;
}
