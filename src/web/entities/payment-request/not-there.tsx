import type { ReactNode } from "react";
import { errors } from "#domain/errors/messages";
import { messageOf, productErrorOf } from "../../platform/errors.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

interface NotThereProps {
  error: Error | null;
  retry: () => void;
  /** What an address without an id is told; of a request unless it says otherwise. */
  missing?: string;
  titles: { missing: string; notLoaded: string };
  backTo: string;
  backLabel: string;
}

/** In place of a request, its receipt or a student: not there, not theirs or not yet approved; or it could not be asked. */
export function NotThere({
  error,
  retry,
  missing = errors.payment_request_not_found.text,
  titles,
  ...back
}: NotThereProps): ReactNode {
  const { code, status } = productErrorOf(error);
  // An address that holds no id at all names none either.
  const text = code === "invalid_input" ? missing : messageOf(error, "unavailable");
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
