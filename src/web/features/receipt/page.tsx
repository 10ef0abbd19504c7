import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import { errors } from "#domain/errors/messages";
import { texts } from "#domain/texts/texts";
import { LogoutButton } from "../../entities/session/account-actions.tsx";
import { productErrorOf } from "../../platform/errors.ts";
import { useTitle } from "../../platform/site.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { NotThere } from "../../ui/not-there.tsx";
import { Page } from "../../ui/page.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { useReceipt } from "./queries.ts";
import { ReceiptSheet } from "./receipt-sheet.tsx";

/** One receipt, to read, to print and to keep as a PDF, whose name browsers take from the title. */
export function ReceiptPage(): ReactNode {
  const { id = "" } = useParams();
  const receipt = useReceipt(id);
  // Also when the approval is undone while one reads (REOPEN-3).
  const isGone = receipt.error !== null && productErrorOf(receipt.error).status === 404;
  useTitle(receipt.data && !isGone ? `Receipt ${receipt.data.receipt_number}` : "Receipt");

  if (receipt.isPending) return <PageLoading text={texts.session.loading} />;
  if (!receipt.data || isGone)
    return (
      <NotThere
        error={receipt.error}
        missing={errors.payment_request_not_found.text}
        retry={() => void receipt.refetch()}
        titles={{ missing: "No receipt here", notLoaded: "The receipt could not be loaded" }}
        backTo="/student"
        backLabel={texts.payment.backToDashboard}
      />
    );
  return (
    <Page
      actions={
        <>
          <ButtonLink to="/student" variant="quiet" size="small">
            {texts.payment.backToDashboard}
          </ButtonLink>
          <Button variant="secondary" size="small" className="min-w-11" onClick={() => print()}>
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
