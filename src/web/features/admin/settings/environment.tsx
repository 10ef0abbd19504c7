import { queryOptions, useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router";
import type { EnvironmentGroup, EnvironmentSetting } from "#domain/api/environment";
import { api } from "../../../platform/api.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { EmptyLoadError } from "../empty-load-error.tsx";

const environmentOptions = queryOptions({
  queryKey: ["environment"],
  queryFn: () => api.environment.list(),
  meta: { reportAs: "dashboard_load_failed" },
});

/** What is set in the server's environment, to read (ENVIRONMENT-1); closed until it is opened or linked to. */
export function Environment(): ReactNode {
  const environment = useQuery(environmentOptions);
  if (!environment.data) {
    if (environment.isPending) return <Skeleton className="h-64" />;
    return <EmptyLoadError what="environment" retry={() => void environment.refetch()} />;
  }
  return (
    <Panel aria-label="Environment">
      <Groups groups={environment.data.groups} />
    </Panel>
  );
}

function Groups({ groups }: { groups: EnvironmentGroup[] }): ReactNode {
  const details = useRef<HTMLDetailsElement>(null);
  const location = useLocation();
  useEffect(() => {
    if (details.current && location.hash === "#environment") details.current.open = true;
  }, [location]);
  return (
    <details ref={details} className="group">
      <summary className="-my-2 flex min-h-11 cursor-pointer items-center gap-2 rounded-control">
        <ChevronRight aria-hidden className="size-4.5 shrink-0 text-muted transition-transform group-open:rotate-90" />
        <h2 className="text-title">Environment</h2>
      </summary>
      <p className="mt-5 text-small text-muted">
        Set on the server, in its environment or the file .env, and read when it starts. Passwords and keys are never displayed.
      </p>
      <div className="mt-5 gap-x-8 lg:columns-2">
        {groups.map(({ subject, settings }) => (
          <section key={subject} aria-label={`Environment: ${subject}`} className="mb-6 break-inside-avoid">
            <h3 className="font-semibold first-letter:uppercase">{subject}</h3>
            <dl className="divide-y divide-line">
              {settings.map((setting) => (
                <Setting key={setting.name} setting={setting} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </details>
  );
}

function Setting({ setting }: { setting: EnvironmentSetting }): ReactNode {
  const { name, description, is_set } = setting;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 py-3">
      <dt className="font-figures text-small font-semibold">{name}</dt>
      <dd className="flex flex-wrap items-center justify-end gap-2 text-right">
        <span className="figures text-small wrap-anywhere">{valueText(setting)}</span>
        {is_set && <Badge tone="accent">Set</Badge>}
      </dd>
      <dd className="col-span-2 text-small wrap-anywhere text-muted">{description.replaceAll("`", "")}</dd>
    </div>
  );
}

/** A secret has no value here. */
function valueText({ is_set, is_secret, value, fallback }: EnvironmentSetting): string {
  if (is_set) return is_secret ? "Hidden" : (value ?? "");
  return fallback === null ? "Not set" : `Default: ${fallback}`;
}
