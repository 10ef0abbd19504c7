import type { ReactNode } from "react";

/** One part of `ui/` under its name. */
export function Part({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid gap-3">
      <h2 className="border-b border-line pb-1 text-small font-semibold tracking-normal text-muted">{name}</h2>
      {children}
    </div>
  );
}

export function Row({ children }: { children: ReactNode }): ReactNode {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}
