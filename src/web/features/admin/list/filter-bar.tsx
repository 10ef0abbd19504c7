import { SlidersHorizontal } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { BareSelect } from "../../../ui/field.tsx";

interface FilterBarProps {
  label: string;
  count: ReactNode;
  children: ReactNode;
  /** Filters that a phone has behind a button, so that the list is in view. */
  folded?: ReactNode;
  /** How many of these are set. */
  foldedSet?: number;
}

/** The search and the filters of a list, and how many rows they leave. */
export function FilterBar({ label, count, children, folded, foldedSet = 0 }: FilterBarProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div role="search" aria-label={label} className="mb-4 grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-3">
        {children}
        {folded !== undefined && (
          <>
            <Button
              variant="secondary"
              className="sm:hidden"
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={() => setOpen(!isOpen)}
            >
              <SlidersHorizontal aria-hidden className="size-4.5" />
              Filters{foldedSet > 0 && ` · ${foldedSet}`}
            </Button>
            <div id={id} className={cx("flex w-full flex-wrap items-center gap-3 sm:contents", !isOpen && "max-sm:hidden")}>
              {folded}
            </div>
          </>
        )}
      </div>
      <p role="status" className="figures text-small text-muted">
        {count}
      </p>
    </div>
  );
}

interface Option<Value extends string> {
  value: Value;
  label: string;
  /** How many rows it has, where that is known. */
  count?: number | undefined;
}

interface FilterProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
}

/** A filter of a few values, all of them visible. */
export function FilterChoice<Value extends string>({ label, value, options, onChange }: FilterProps<Value>): ReactNode {
  return (
    <fieldset className="flex flex-wrap">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative -ml-px inline-flex min-h-11 items-center gap-2 border border-control bg-surface px-3 text-small font-medium text-muted transition-colors first-of-type:ml-0 first-of-type:rounded-l-control last-of-type:rounded-r-control hover:text-ink has-checked:z-1 has-checked:border-action has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-action"
        >
          <input
            type="radio"
            name={label}
            className="absolute inset-0 cursor-pointer opacity-0"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
          {option.count !== undefined && <span className="figures font-normal">{numberText(option.count)}</span>}
        </label>
      ))}
    </fieldset>
  );
}

/** A filter or an order of many values, or of one that is rarely changed. */
export function FilterSelect<Value extends string>({ label, value, options, onChange }: FilterProps<Value>): ReactNode {
  return (
    <BareSelect
      label={label}
      className="max-w-52"
      value={value}
      onChange={({ target }) => onChange(options.find((option) => option.value === target.value)?.value ?? value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </BareSelect>
  );
}

const numberFormat = new Intl.NumberFormat("en-US");
const numberText = (count: number): string => numberFormat.format(count);

/** How many rows a list has: `12 students`, or `100 or more students` while pages are left to read. `nouns` are singular and plural. */
export function countText(
  list: { data?: readonly unknown[] | undefined; hasNextPage: boolean },
  nouns: [string, string],
): string {
  if (list.data === undefined) return "";
  const { length } = list.data;
  if (list.hasNextPage) return `${numberText(length)} or more ${nouns[1]}`;
  return `${numberText(length)} ${nouns[length === 1 ? 0 : 1]}`;
}
