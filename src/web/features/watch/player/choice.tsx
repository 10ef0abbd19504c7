import type { ReactNode } from "react";
import { cx } from "../../../ui/cx.ts";

interface ChoiceProps {
  label: string;
  /** Where the value alone does not say what it is of. */
  icon?: ReactNode;
  value: string;
  options: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
}

/** A choice in the bar of controls: the browser's own menu, which works by keyboard, by touch and in full screen. */
export function Choice({ label, icon, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <span className="relative flex min-w-14 items-center">
      {icon !== undefined && <span className="pointer-events-none absolute left-2 @max-xl:hidden">{icon}</span>}
      <select
        aria-label={label}
        title={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cx(
          "figures h-11 max-w-28 min-w-14 cursor-pointer appearance-none truncate rounded-control bg-transparent px-2 text-center text-small font-medium text-ink hover:bg-raised",
          icon !== undefined && "@xl:max-w-36 @xl:pl-8.5",
        )}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-surface text-ink">
            {option.text}
          </option>
        ))}
      </select>
    </span>
  );
}
