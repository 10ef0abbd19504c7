import type { ReactNode } from "react";
import type { ChainEvidence } from "#domain/evidence/chain";
import { amountText, type CryptoType } from "#domain/payment-methods/methods";
import { dateTime } from "../../../../platform/format.ts";

interface ChainTransactionsProps {
  details: ChainEvidence["details"];
  method: CryptoType | null;
}

/** Links to the transactions of a payment in a public explorer, with what each paid and when. */
export function ChainTransactions({ details: { transactions }, method }: ChainTransactionsProps): ReactNode {
  if (transactions.length === 0) return null;
  return (
    <ul className="grid text-small">
      {transactions.map(({ id, explorer, amount_received, block_time }) => (
        <li key={id}>
          <a
            href={explorer}
            target="_blank"
            rel="noopener noreferrer"
            className="figures inline-flex min-h-11 items-center rounded-control wrap-anywhere text-action underline-offset-4 hover:underline lg:min-h-8"
          >
            {id}
          </a>
          <p className="figures text-muted">
            {method === null ? amount_received : amountText(method, amount_received)},{" "}
            {block_time === null ? "in no block yet" : dateTime(block_time)}
          </p>
        </li>
      ))}
    </ul>
  );
}
