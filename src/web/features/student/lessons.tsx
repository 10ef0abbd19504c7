import { useState, type ReactNode } from "react";
import type { Video } from "#domain/api/videos";
import { texts } from "#domain/texts/texts";
import { cx } from "../../ui/cx.ts";
import { Empty } from "../../ui/panel.tsx";
import { VideoCard } from "./video-card.tsx";

const all = "all";

interface LessonsProps {
  videos: Video[];
  modules: string[];
}

/** Every video, with a filter by module. */
export function Lessons({ videos, modules }: LessonsProps): ReactNode {
  const [selected, setSelected] = useState<string>(all);
  // The selected module may have disappeared with its last video.
  const filter = modules.includes(selected) ? selected : all;
  const filtered = filter === all ? videos : videos.filter(({ module }) => module === filter);
  return (
    <section aria-labelledby="lessons">
      <h2 id="lessons" className="mb-4 text-title">
        Lessons
      </h2>
      {videos.length === 0 ? (
        <Empty title="No lessons yet">The first ones appear here by themselves.</Empty>
      ) : (
        <>
          <div role="group" aria-label="Filter by module" className="mb-6 flex flex-wrap gap-2">
            <FilterButton isOn={filter === all} onClick={() => setSelected(all)}>
              {texts.student.allModules}
            </FilterButton>
            {modules.map((module) => (
              <FilterButton key={module} isOn={filter === module} onClick={() => setSelected(module)}>
                {module}
              </FilterButton>
            ))}
          </div>
          <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {filtered.map((video) => (
              <VideoCard key={video.id} video={video} />
            ))}
          </ul>
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
        "min-h-11 rounded-control border px-3.5 text-small font-medium transition-colors",
        isOn ? "border-action bg-action text-on-action" : "border-control text-muted hover:border-action hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
