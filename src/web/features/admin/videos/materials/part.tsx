import { useId, type ReactNode } from "react";

/** A part of a lesson that is saved by itself, under its own heading. */
export function Part({ title, hint, children }: { title: string; hint: ReactNode; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid content-start gap-4 border-t border-line pt-5">
      <div>
        <h3 id={id} className="text-lead font-semibold">
          {title}
        </h3>
        <p className="text-small text-muted">{hint}</p>
      </div>
      {children}
    </section>
  );
}
