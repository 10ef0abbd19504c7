import type { ReactNode } from "react";
import { PaymentPage } from "./features/payment/page.tsx";
import { ApprovalTime } from "./features/requests/approval-time.tsx";
import { History } from "./features/requests/history.tsx";
import { Standing } from "./features/requests/standing.tsx";
import { Submitted } from "./features/requests/submitted.tsx";

const parts = { Standing, ApprovalTime, Submitted, History };

/** The payment page with what it shows of one's payments: features do not know each other. */
export function PaymentRoute(): ReactNode {
  return <PaymentPage parts={parts} />;
}
