import type { ReactNode } from "react";
import type { AuditEntry } from "#domain/api/audit";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { AuditSentence, AuditTime } from "./entry.tsx";

interface AuditPanelProps {
  audit: AuditEntry[];
  /** The way to further entries. */
  children?: ReactNode;
}

/** Who did what to a student or a request, newest first. */
export function AuditPanel({ audit, children }: AuditPanelProps): ReactNode {
  return (
    <Panel aria-labelledby="audit">
      <PanelTitle id="audit">Audit log</PanelTitle>
      {audit.length === 0 && <p className="text-muted">Nothing yet.</p>}
      <ol className="divide-y divide-line">
        {audit.map((entry) => (
          <li key={entry.id} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2.5 text-small">
            <AuditSentence entry={entry} />
            <AuditTime entry={entry} />
          </li>
        ))}
      </ol>
      {children}
    </Panel>
  );
}
