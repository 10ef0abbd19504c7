import type { ReactNode } from "react";
import type { AuditEntry } from "#domain/api/audit";
import { auditChanges, auditFacts } from "#domain/audit/changes";
import { auditSentence } from "#domain/audit/sentences";
import { dateTime } from "../../../platform/format.ts";
import { EmailAddress } from "../email-address.tsx";

/** Who did what, as a sentence, with the values before and after on demand (AUDIT-5). `actor` is a control in place of the address. */
export function AuditSentence({ entry, actor }: { entry: AuditEntry; actor?: ReactNode }): ReactNode {
  const changes = auditChanges(entry.details);
  const facts = auditFacts(entry.details);
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere">
        {actor ?? (
          <span className="font-medium">
            <EmailAddress email={entry.actor_email} />
          </span>
        )}{" "}
        {auditSentence(entry)}
      </p>
      {changes.length + facts.length > 0 && (
        <details className="group text-small">
          <summary className="w-fit cursor-pointer rounded-control py-1 text-muted underline-offset-4 hover:text-ink hover:underline">
            Details<span className="sr-only"> of {auditSentence(entry)}</span>
          </summary>
          <div className="mt-1 grid gap-2 border-l-2 border-line pl-3">
            {changes.map(({ field, before, after }) => (
              <p key={field} className="wrap-anywhere">
                {field !== "" && <span className="text-muted">{field.replaceAll("_", " ")}: </span>}
                {before !== null && (
                  <del className="text-loss">
                    <span className="sr-only">before </span>
                    {before}
                  </del>
                )}
                {before !== null && after !== null && " "}
                {after !== null && (
                  <ins className="text-gain no-underline">
                    <span className="sr-only">after </span>
                    {after}
                  </ins>
                )}
              </p>
            ))}
            {facts.map(([field, value]) => (
              <p key={field} className="wrap-anywhere">
                <span className="text-muted">{field}: </span>
                {value}
              </p>
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

/** When and from where. */
export function AuditTime({ entry }: { entry: AuditEntry }): ReactNode {
  return (
    <span className="text-small text-muted">
      <time dateTime={entry.at}>{dateTime(entry.at)}</time>
      {entry.ip !== "" && <span className="block wrap-anywhere">from {entry.ip}</span>}
    </span>
  );
}
