import type { ReactNode } from "react";
import { errors } from "#domain/errors/messages";
import { messageOf, productErrorOf } from "../../platform/errors.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

interface NotThereProps {
  error: Error | null;
  retry: () => void;
  titles: { missing: string; notLoaded: string };
  backTo: string;
  backLabel: string;
}

/** In place of a request or its receipt: not there, not theirs or not yet approved; or it could not be asked. */
export function NotThere({ error, retry, titles, ...back }: NotThereProps): ReactNode {
  const { code, status } = productErrorOf(error);
  // An address that holds no id at all names no request either.
  const text = code === "invalid_input" ? errors.payment_request_not_found.text : messageOf(error, "unavailable");
  const isMissing = status < 500;
  return (
    <Notice
      code={isMissing ? "404" : String(status)}
      title={isMissing ? titles.missing : titles.notLoaded}
      action={!isMissing && <Button onClick={retry}>Try again</Button>}
      {...back}
    >
      {text}
    </Notice>
  );
}
