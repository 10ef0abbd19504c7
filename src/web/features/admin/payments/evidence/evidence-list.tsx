import { CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Evidence } from "#domain/evidence/evidence";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { OtherRequest } from "#domain/evidence/shape";
import { amountText, type CryptoType } from "#domain/payment-methods/methods";
import { dateTime } from "../../../../platform/format.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { ChainTransactions } from "./chain-transactions.tsx";
import { detailName, evidenceLabels, toneOf, verdictLabel } from "./labels.ts";
import { OtherRequests } from "./other-requests.tsx";

const icons = { caution: TriangleAlert, gain: CircleCheck, neutral: CircleDashed };

/** All evidence of a request, in its order of weight: verdict, text and details of each. */
export function EvidenceList({ request }: { request: Pick<ReviewedPaymentRequest, "crypto_type" | "evidence"> }): ReactNode {
  const { crypto_type, evidence } = request;
  if (evidence.length === 0) return <p className="text-muted">There was nothing to pay, so there is nothing to prove.</p>;
  return (
    <ul className="divide-y divide-line">
      {evidence.map((one) => (
        <li key={one.kind} className="grid gap-1.5 py-4 first:pt-0 last:pb-0">
          <Verdict evidence={one} />
          <p className="wrap-anywhere">{one.text}</p>
          <Details details={one.details} method={crypto_type} />
          {one.kind === "chain" && <ChainTransactions details={one.details} method={crypto_type} />}
        </li>
      ))}
    </ul>
  );
}

function Verdict({ evidence }: { evidence: Evidence }): ReactNode {
  const tone = toneOf(evidence);
  const Icon = icons[tone];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h3 className="text-small font-medium text-muted">{evidenceLabels[evidence.kind].name}</h3>
      <Badge tone={tone}>
        <Icon aria-hidden className="size-3.5" />
        {verdictLabel(evidence)}
      </Badge>
      <time dateTime={evidence.at} className="ml-auto text-small text-muted">
        {dateTime(evidence.at)}
      </time>
    </div>
  );
}

/** The facts behind a verdict: what is plain as names and values, other requests as links. */
function Details({ details, method }: { details: object; method: CryptoType | null }): ReactNode {
  const facts = Object.entries(details).flatMap(([field, value]) => {
    const text = isAmount(field, value) && method !== null ? amountText(method, value) : factText(value);
    return text === undefined ? [] : [{ field, text }];
  });
  const others = Object.values(details).flatMap((value) => (Array.isArray(value) ? value.filter(isOtherRequest) : []));
  return (
    <>
      {facts.length > 0 && (
        <dl className="grid gap-x-4 gap-y-0.5 text-small sm:grid-cols-[max-content_1fr]">
          {facts.map(({ field, text }) => (
            <div key={field} className="contents">
              <dt className="text-muted">{detailName(field)}</dt>
              <dd className="figures wrap-anywhere">{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {others.length > 0 && <OtherRequests requests={others} />}
    </>
  );
}

/** Details that are in the payment's currency. */
const amounts = ["amount_due", "amount_received", "difference", "amount_crypto"];
const isAmount = (field: string, value: unknown): value is string => amounts.includes(field) && typeof value === "string";

function factText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "string" || value === "") return undefined;
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? dateTime(value) : value;
}

const isOtherRequest = (value: unknown): value is OtherRequest => OtherRequest.safeParse(value).success;
