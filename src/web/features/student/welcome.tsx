import type { ReactNode } from "react";
import type { Me } from "#domain/api/account";
import { fill, texts } from "#domain/texts/texts";

interface WelcomeProps {
  me: Me;
  /** Undefined while they could not be read. */
  videoCount: number | undefined;
  moduleCount: number | undefined;
}

export function Welcome({ me, videoCount, moduleCount }: WelcomeProps): ReactNode {
  const counts = [
    { name: texts.student.availableVideos, value: videoCount },
    { name: texts.student.courseModules, value: moduleCount },
  ];
  return (
    <section aria-labelledby="welcome" className="grid gap-6 md:grid-cols-[1fr_auto] md:items-end">
      <div>
        <h1 id="welcome" className="text-heading wrap-anywhere">
          {fill(texts.student.greeting, { name: me.full_name })}
        </h1>
        <p className="mt-2 text-muted">
          {me.subscription_status === "unpaid" ? texts.student.unpaidMessage : texts.student.paidMessage}
        </p>
      </div>
      <dl className="flex divide-x divide-line">
        {counts.map(({ name, value }) => (
          <div key={name} className="flex flex-col-reverse px-6 first:pl-0 last:pr-0">
            <dt className="text-small text-muted">{name}</dt>
            <dd className="figures text-heading font-semibold tracking-tight">{value ?? "–"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
