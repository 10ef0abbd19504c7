import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { ApprovalTime } from "../../entities/payment-request/approval-time.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";

const approval = "Wait for manual approval, usually within 24 hours.";

const instructions = [
  "Send exactly the amount shown, to the address or account shown.",
  "Take a screenshot of the confirmation.",
  "Upload it below and submit your request.",
  approval,
];

/** Where a discount and what was paid before cover the whole price. */
const freeInstructions = ["Take a screenshot of this page.", "Upload it below and submit your request.", approval];

const noRefunds = "All payments are final; there are no refunds.";
const patience = "Approval may take up to 24 hours.";

const notes = [
  noRefunds,
  "Send the exact amount. A different one delays the approval.",
  "Paying from an exchange? Make sure that its fee comes on top of the amount.",
  "Double-check the address before you send.",
  "Keep the transaction hash or the bank's receipt.",
  patience,
];

/** For a free package: nothing about sending money. */
const freeNotes = [noRefunds, patience];

export function Instructions({ isFree }: { isFree: boolean }): ReactNode {
  return (
    <Panel aria-label="Instructions">
      <PanelTitle>{isFree ? "What to do" : "How to pay"}</PanelTitle>
      <ol className="grid gap-3">
        {(isFree ? freeInstructions : instructions).map((text, index) => (
          <li key={text} className="grid grid-cols-[2rem_1fr]">
            <span aria-hidden className="figures text-small leading-6 text-action">
              {index + 1}.
            </span>
            <span>
              {text}
              {text === approval && (
                <span className="text-muted">
                  {" "}
                  <ApprovalTime />
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

export function ImportantNotes({ isFree }: { isFree: boolean }): ReactNode {
  return (
    <section aria-labelledby="important-notes" className="border-l-2 border-caution pl-5">
      <h2 id="important-notes" className="font-semibold">
        {texts.payment.importantNotes}
      </h2>
      <ul className="mt-2 grid gap-1.5 text-small text-muted">
        {(isFree ? freeNotes : notes).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}
