import { QueryClientProvider, useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { errors } from "#domain/errors/messages";
import { optionalMailKinds, optionalMails } from "#domain/mail-choices";
import { queryClient } from "../../platform/query/query-client.ts";
import { useTitle } from "../../platform/site.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { unsubscribe } from "./unsubscribe.ts";

/** Where the link in an optional mail leads (MAIL-9). Opening it changes nothing; the button does. It needs no session. */
export function UnsubscribePage(): ReactNode {
  useTitle("Unsubscribe");
  return (
    <QueryClientProvider client={queryClient}>
      <Unsubscribe />
    </QueryClientProvider>
  );
}

function Unsubscribe(): ReactNode {
  const [params] = useSearchParams();
  const token = params.get("token") ?? "";
  const kind = optionalMailKinds.find((one) => token.startsWith(`${one}.`));
  const stopping = useMutation({ mutationFn: unsubscribe });
  const choose = (
    <ButtonLink to="/account#mails" variant="secondary">
      Choose your mails
    </ButtonLink>
  );

  if (kind === undefined) {
    return (
      <Notice code="Mails" title="This link is not complete" backTo="/" backLabel="Back to the course page" action={choose}>
        {errors.unsubscribe_link_invalid.text}
      </Notice>
    );
  }
  const { name } = optionalMails[kind];
  return (
    <Notice
      code="Mails"
      title={stopping.isSuccess ? "You are unsubscribed" : "Unsubscribe?"}
      backTo="/"
      backLabel="Back to the course page"
      action={
        stopping.isSuccess ? (
          choose
        ) : (
          <>
            <div className="basis-full empty:hidden">
              <ActionError error={stopping.error} />
            </div>
            <Button isBusy={stopping.isPending} onClick={() => stopping.mutate(token)}>
              Unsubscribe
            </Button>
          </>
        )
      }
    >
      <span role="status">
        {stopping.isSuccess
          ? `“${name}” will no longer be mailed to you. You can turn it on again on your account page.`
          : `“${name}” will no longer be mailed to you. Codes, security notices and mails about your payments still arrive.`}
      </span>
    </Notice>
  );
}
