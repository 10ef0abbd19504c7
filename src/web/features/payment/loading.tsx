import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { packageAskedFor } from "#domain/accounts/next-page";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CheckoutLead, PackageHeading, PaymentFrame } from "./frame.tsx";

/** The page while its buyer is read; its HTML arrives before there is a script (JOURNEY-6). */
export function PaymentLoading(): ReactNode {
  const [params] = useSearchParams();
  return (
    <PaymentFrame>
      <PackageHeading packageType={packageAskedFor({ package: params.get("package") })} />
      <CheckoutLead />
      <CheckoutLoading />
    </PaymentFrame>
  );
}

/** Placeholders of the three steps. */
export function CheckoutLoading(): ReactNode {
  return (
    <div role="status" className="mt-8 grid gap-6 md:grid-cols-2 xl:grid-cols-3">
      <span className="sr-only">Loading payment information...</span>
      <Skeleton className="h-112" />
      <Skeleton className="h-112" />
      <Skeleton className="h-112" />
    </div>
  );
}
