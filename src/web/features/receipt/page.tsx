import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import { errors } from "#domain/errors/messages";
import { texts } from "#domain/texts/texts";
import { LogoutButton } from "../../entities/session/account-actions.tsx";
import { messageOf, productErrorOf } from "../../platform/errors.ts";
import { useTitle } from "../../platform/site.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { useReceipt } from "./queries.ts";
import { ReceiptSheet } from "./receipt-sheet.tsx";

/** One receipt, to read, to print and to keep as a PDF, whose name browsers take from the title. */
export function ReceiptPage(): ReactNode {
  const { id = "" } = useParams();
  const receipt = useReceipt(id);
  useTitle(receipt.data ? `Receipt ${receipt.data.receipt_number}` : "Receipt");

  if (receipt.isPending) return <PageLoading text={texts.session.loading} />;
  if (!receipt.data) return <NoReceipt error={receipt.error} retry={() => void receipt.refetch()} />;
  return (
    <Page
      actions={
        <>
          <ButtonLink to="/student" variant="quiet" size="small" className="min-h-11">
            {texts.payment.backToDashboard}
          </ButtonLink>
          <Button variant="secondary" size="small" className="min-h-11 min-w-11" onClick={() => print()}>
            <Printer aria-hidden className="size-4" />
            <span className="max-sm:sr-only">Print</span>
          </Button>
          <LogoutButton label={texts.student.logout} />
        </>
      }
    >
      <ReceiptSheet receipt={receipt.data} />
    </Page>
  );
}

/** Not there, not theirs or not yet approved; or it could not be asked. */
function NoReceipt({ error, retry }: { error: Error | null; retry: () => void }): ReactNode {
  const { code, status } = productErrorOf(error);
  // An address that holds no id at all names no payment either.
  const text = code === "invalid_input" ? errors.payment_request_not_found.text : messageOf(error, "unavailable");
  const isMissing = status < 500;
  return (
    <Notice
      code={isMissing ? "404" : String(status)}
      title={isMissing ? "No receipt here" : "The receipt could not be loaded"}
      backTo="/student"
      backLabel={texts.payment.backToDashboard}
      action={!isMissing && <Button onClick={retry}>Try again</Button>}
    >
      {text}
    </Notice>
  );
}
