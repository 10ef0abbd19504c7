import type { ReactNode } from "react";
import type { Me } from "#domain/api/account";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Video } from "#domain/api/course/videos";
import { packages } from "#domain/packages";
import { fill, texts } from "#domain/texts/texts";

interface WelcomeProps {
  me: Me;
  /** The payment request that waits for a decision or for another try. */
  open: PaymentRequest | undefined;
  /** Undefined while they could not be read. */
  videos: Video[] | undefined;
  moduleCount: number | undefined;
  /** What to do next: below the greeting, and on a phone above the counts. */
  children?: ReactNode;
}

export function Welcome({ me, open, videos, moduleCount, children }: WelcomeProps): ReactNode {
  const playable = videos?.filter((video) => video.playable).length;
  const locked = (videos?.length ?? 0) - (playable ?? 0);
  const counts = [
    { name: texts.student.availableVideos, value: playable },
    ...(locked === 0 ? [] : [{ name: "Locked Videos", value: locked }]),
    { name: texts.student.courseModules, value: moduleCount },
  ];
  return (
    <section aria-labelledby="welcome" className="grid gap-6 md:grid-cols-[1fr_auto] md:items-end">
      <div>
        <h1 id="welcome" className="text-heading wrap-anywhere">
          {fill(texts.student.greeting, { name: me.full_name })}
        </h1>
        <p className="mt-2 text-muted">{messageFor(me, open)}</p>
      </div>
      {children && <div className="empty:hidden md:order-last md:col-span-2">{children}</div>}
      <dl className="flex divide-x divide-line">
        {counts.map(({ name, value }) => (
          <div key={name} className="flex flex-col-reverse justify-end px-4 first:pl-0 last:pr-0 sm:px-6">
            <dt className="text-small text-muted">{name}</dt>
            <dd className="figures text-heading font-semibold tracking-tight">{value ?? "–"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The state of an open request takes the place of the specified message (JOURNEY-5). */
function messageFor({ subscription_status: tier }: Me, open: PaymentRequest | undefined): string {
  if (open) {
    const { name } = packages[open.package_type];
    if (open.rest !== null) return `A part of your payment for the ${name} package is still to pay.`;
    const subject = `Your ${open.crypto_type === null ? "request" : "payment"} for the ${name} package`;
    return open.status === "pending"
      ? `${subject} is being checked, usually within 24 hours.`
      : `${subject} needs another look from you.`;
  }
  return tier === "unpaid" ? texts.student.unpaidMessage : texts.student.paidMessage;
}
