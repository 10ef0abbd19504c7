import { QueryClientProvider, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import type { UndoPreview } from "#domain/api/payments/guard";
import { settingText } from "#domain/payment-methods/settings";
import { messageOf, productErrorOf } from "../../platform/errors.ts";
import { utcDateTime } from "../../platform/format.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { useTitle } from "../../platform/site.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { previewUndo, undoChange } from "./undo.ts";

/** Where the link in an alert leads (GUARD-2). Opening it changes nothing; the button does. It needs no session. */
export function UndoPage(): ReactNode {
  useTitle("Undo a change");
  const token = useToken();
  return (
    <QueryClientProvider client={queryClient}>
      <Undo key={token} token={token} />
    </QueryClientProvider>
  );
}

/** Returns the token of the link. It moves from the fragment to the state of the history entry, so that the address bar does not show it. */
function useToken(): string {
  const navigate = useNavigate();
  const location = useLocation();
  const linked = location.hash.slice(1);
  useEffect(() => {
    if (linked !== "") void navigate({ hash: "" }, { replace: true, state: { undo: linked } });
  }, [linked, navigate]);
  return linked || ((location.state as { undo?: string } | null)?.undo ?? "");
}

const asPreview = (preview: UndoPreview) => ({ preview, error: undefined });
const asError = (error: Error) => ({ preview: undefined, error });

function Undo({ token }: { token: string }): ReactNode {
  const { data, isFetching, refetch } = useQuery({
    queryKey: ["undo", token],
    // An error of the query itself would be gone while it is tried again.
    queryFn: () => previewUndo(token).then(asPreview, asError),
    staleTime: Infinity,
  });
  const undoing = useMutation({ mutationFn: () => undoChange(token) });
  const back = { code: "Payment settings", backTo: "/", backLabel: "Back to the course page" };
  if (undoing.isSuccess) {
    return (
      <Notice {...back} title="The change is undone" action={<ButtonLink to="/auth">Sign in</ButtonLink>}>
        <span role="status">
          {`${undoing.data.restored.map(({ label }) => label).join(", ")}: the former settings are back. Open quotes have ended, and the admin is signed out everywhere. Now choose a new password for the admin's account: whoever made the change knew it. “Forgot your password?” on the sign-in page mails you a link.`}
        </span>
      </Notice>
    );
  }
  if (data?.error) {
    const { code } = productErrorOf(data.error);
    const isDead = code.startsWith("undo_") || code === "invalid_input";
    return (
      <Notice
        {...back}
        title={isDead ? "Nothing to undo by this link" : "The link could not be checked"}
        action={
          !isDead && (
            <Button isBusy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          )
        }
      >
        <span role="status">{messageOf(data.error, "unexpected")}</span>
      </Notice>
    );
  }
  return (
    <Notice
      {...back}
      title="Undo this change?"
      action={
        <>
          <div className="basis-full empty:hidden">
            <ActionError error={undoing.error} />
          </div>
          <Button variant="danger" isBusy={undoing.isPending} disabled={!data} onClick={() => undoing.mutate()}>
            Undo this change
          </Button>
        </>
      }
    >
      {data ? <Steps preview={data.preview} /> : "Loading..."}
    </Notice>
  );
}

/** What the button will do, in plain words. */
function Steps({ preview: { changed_at, restores, stays } }: { preview: UndoPreview }): ReactNode {
  return (
    <>
      {`Changed on ${utcDateTime(changed_at)}. The button puts these settings back:`}
      {restores.map(({ field, label, before, after }) => (
        <span key={field} className="mt-3 block wrap-anywhere">
          <span className="font-semibold text-ink">{label}</span>: {settingText(field, after) || "empty"}
          <span className="block text-small">instead of {settingText(field, before) || "empty"}</span>
        </span>
      ))}
      {stays.length > 0 && (
        <span className="mt-3 block">{`Changed again in another way, and left as it is: ${stays.join(", ")}.`}</span>
      )}
      <span className="mt-3 block">It also ends the quotes that students have open, and signs the admin out everywhere.</span>
    </>
  );
}
