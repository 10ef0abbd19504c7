import { useState, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { texts } from "#domain/texts/texts";
import type { PathModule } from "#domain/watch/path";
import { cx } from "../../ui/cx.ts";
import { Empty } from "../../ui/panel.tsx";
import { ModuleSection } from "./module-section.tsx";

const all = "all";

interface LessonsProps {
  path: PathModule<Video>[];
  /** The student's payment requests, newest first. */
  requests: PaymentRequest[];
}

/** The path through the course, a section for each module, with a filter by module. */
export function Lessons({ path, requests }: LessonsProps): ReactNode {
  const [selected, setSelected] = useState<string>(all);
  // The selected module may have disappeared with its last video.
  const filter = path.some(({ name }) => name === selected) ? selected : all;
  const filtered = filter === all ? path : path.filter(({ name }) => name === filter);
  return (
    <section aria-labelledby="lessons">
      <h2 id="lessons" className="mb-4 text-title">
        Lessons
      </h2>
      {path.length === 0 ? (
        <Empty title="No lessons yet">The first ones appear here by themselves.</Empty>
      ) : (
        <>
          <div role="group" aria-label="Filter by module" className="mb-8 flex flex-wrap gap-2">
            <FilterButton isOn={filter === all} onClick={() => setSelected(all)}>
              {texts.student.allModules}
            </FilterButton>
            {path.map(({ name }) => (
              <FilterButton key={name} isOn={filter === name} onClick={() => setSelected(name)}>
                {name}
              </FilterButton>
            ))}
          </div>
          <div className="grid gap-10">
            {filtered.map((module) => (
              <ModuleSection key={module.name} module={module} requests={requests} />
            ))}
          </div>
        </>
      )}
    </section>
  );
}

function FilterButton({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: ReactNode }): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={cx(
        "min-h-11 rounded-control border px-3.5 text-small font-medium wrap-anywhere transition-colors",
        isOn ? "border-action bg-action text-on-action" : "border-control text-muted hover:border-action hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
