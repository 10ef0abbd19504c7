import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { AuditEntry } from "#domain/api/audit";
import { auditActions } from "#domain/audit/sentences";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/panel.tsx";
import { EmailAddress } from "../email-address.tsx";
import { ExportButton } from "../exports/export-button.tsx";
import { countText, FilterBar, FilterSelect } from "../list/filter-bar.tsx";
import { SearchField } from "../list/search-field.tsx";
import { useListFilters } from "../list/use-list-filters.ts";
import { VirtualTable, type ListColumn } from "../list/virtual-table.tsx";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { TabLoading } from "../tab-loading.tsx";
import { AuditSentence, AuditTime } from "./entry.tsx";
import { AuditFilters, auditQuery, useAuditLog } from "./queries.ts";

const actions = [
  { value: "all", label: "All actions" },
  ...auditActions.map((action) => ({ value: action, label: action.replace(".", ": ").replaceAll(/[-_.]/g, " ") })),
] as const;

type Change = (changes: Partial<AuditFilters>) => void;

const kindText = (subjectType: string): string => subjectType.replaceAll("-", " ");

const linkLook = "rounded-control text-left underline-offset-4 hover:underline";

const columnsFor = (change: Change): ListColumn<AuditEntry>[] => [
  {
    name: "What happened",
    track: "minmax(0, 1fr)",
    isHeader: true,
    cell: (entry) => (
      <AuditSentence
        entry={entry}
        actor={
          <button type="button" className={`${linkLook} font-medium`} onClick={() => change({ actor: entry.actor_email })}>
            <EmailAddress email={entry.actor_email} />
            <span className="sr-only"> (everything they did)</span>
          </button>
        }
      />
    ),
  },
  {
    name: "About",
    track: "10rem",
    cell: (entry) => (
      <button
        type="button"
        className={`${linkLook} min-h-11 text-small text-action lg:min-h-0`}
        onClick={() => change({ subject: entry.subject_id, subject_type: entry.subject_type })}
      >
        {kindText(entry.subject_type)}
        <span className="sr-only"> {entry.subject_id}: everything about it</span>
      </button>
    ),
  },
  { name: "When", track: "12rem", cell: (entry) => <AuditTime entry={entry} /> },
];

const keyOf = ({ id }: AuditEntry): string => String(id);

/** Who did what, newest first; new entries come by themselves (AUDIT-4, AUDIT-6). */
export function AuditTab(): ReactNode {
  const [filters, change] = useListFilters(AuditFilters);
  const entries = useAuditLog(filters);
  const about = `${kindText(filters.subject_type)} ${filters.subject}`.trim();
  const isFiltered = Object.values(filters).some((value) => value !== "" && value !== "all");
  return (
    <section aria-labelledby="audit-log">
      <h2 id="audit-log" className="sr-only">
        Audit log
      </h2>
      <FilterBar label="Audit log" count={countText(entries, ["entry", "entries"])}>
        <SearchField
          label="Search by e-mail, action or value"
          value={filters.search}
          onSearch={(search) => change({ search }, { replace: true })}
        />
        <FilterSelect label="Action" value={filters.action} options={actions} onChange={(action) => change({ action })} />
        <ExportButton name="audit" filters={auditQuery(filters)} />
        {filters.actor !== "" && <Chosen text={`By ${filters.actor}`} onRemove={() => change({ actor: "" })} />}
        {about !== "" && <Chosen text={`About ${about}`} onRemove={() => change({ subject: "", subject_type: "" })} />}
      </FilterBar>
      {entries.isPending ? (
        <TabLoading />
      ) : entries.isLoadingError ? (
        <EmptyLoadError what="audit log" retry={() => void entries.refetch()} />
      ) : entries.data?.length === 0 ? (
        <Empty title={isFiltered ? "No entry matches" : "No entries yet"}>
          {isFiltered
            ? "The search reads addresses, names of actions as in the list above, and values, not whole sentences. Try another word, or remove a filter."
            : "Whatever you change is recorded here."}
        </Empty>
      ) : (
        <VirtualTable
          caption="Audit log, newest first"
          nouns={["entry", "entries"]}
          columns={columnsFor(change)}
          list={entries}
          keyOf={keyOf}
          source={`audit ${JSON.stringify(filters)}`}
        />
      )}
    </section>
  );
}

/** A filter that was chosen in a row. */
function Chosen({ text, onRemove }: { text: string; onRemove: () => void }): ReactNode {
  return (
    <Button variant="secondary" className="max-w-full min-w-0" onClick={onRemove}>
      <span className="min-w-0 truncate">{text}</span>
      <X aria-hidden className="size-4 shrink-0" />
      <span className="sr-only">: remove this filter</span>
    </Button>
  );
}
