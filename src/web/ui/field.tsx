import { useId, type ComponentProps, type ReactNode } from "react";
import { cx } from "./cx.ts";

const control =
  "w-full rounded-control border border-control bg-surface px-3 text-ink placeholder:text-muted " +
  "transition-colors hover:border-ink aria-invalid:border-loss disabled:opacity-60";

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** Shown at the right end of the label's line. */
  aside?: ReactNode;
}

interface Wiring {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** Label, control, hint and error, connected by their ids for assistive technology. */
function Labelled({
  label,
  hint,
  error,
  aside,
  children,
}: FieldProps & { children: (wiring: Wiring) => ReactNode }): ReactNode {
  const id = useId();
  // An error replaces the hint: below it, it would move what is being clicked.
  const describedBy = error !== undefined ? `${id}-error` : hint !== undefined ? `${id}-hint` : undefined;
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-small font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, "aria-describedby": describedBy, "aria-invalid": error === undefined ? undefined : true })}
      {hint !== undefined && error === undefined && (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

export function FieldError({ id, text }: { id?: string; text: string | undefined }): ReactNode {
  if (text === undefined) return null;
  return (
    <p id={id} role="alert" className="text-small font-medium text-loss">
      {text}
    </p>
  );
}

export function TextField({
  label,
  hint,
  error,
  aside,
  end,
  className,
  ...rest
}: FieldProps & ComponentProps<"input"> & { end?: ReactNode }): ReactNode {
  return (
    <Labelled label={label} hint={hint} error={error} aside={aside}>
      {(wiring) => (
        <div className="relative">
          <input {...wiring} className={cx(control, "min-h-11", end !== undefined && "pr-12", className)} {...rest} />
          {end !== undefined && <div className="absolute inset-y-0 right-0 flex items-center">{end}</div>}
        </div>
      )}
    </Labelled>
  );
}

export function TextArea({
  label,
  hint,
  error,
  aside,
  className,
  ...rest
}: FieldProps & ComponentProps<"textarea">): ReactNode {
  return (
    <Labelled label={label} hint={hint} error={error} aside={aside}>
      {(wiring) => <textarea {...wiring} rows={4} className={cx(control, "py-2", className)} {...rest} />}
    </Labelled>
  );
}

export function SelectField({
  label,
  hint,
  error,
  aside,
  className,
  ...rest
}: FieldProps & ComponentProps<"select">): ReactNode {
  return (
    <Labelled label={label} hint={hint} error={error} aside={aside}>
      {(wiring) => <select {...wiring} className={cx(control, "min-h-11", className)} {...rest} />}
    </Labelled>
  );
}

/** A select whose label is only read out, for a cell of a table with column names. */
export function BareSelect({ label, className, ...rest }: ComponentProps<"select"> & { label: string }): ReactNode {
  return <select aria-label={label} className={cx(control, "min-h-11 min-w-36 text-small", className)} {...rest} />;
}

export function Checkbox({
  label,
  error,
  ...rest
}: Omit<ComponentProps<"input">, "type"> & { label: ReactNode; error?: string | undefined }): ReactNode {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <div className="flex items-start gap-3">
        <input
          id={id}
          type="checkbox"
          className="mt-0.5 size-6 shrink-0 rounded-control"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          {...rest}
        />
        <label htmlFor={id} className="pt-0.5 text-small">
          {label}
        </label>
      </div>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
