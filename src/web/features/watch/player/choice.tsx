import type { ReactNode } from "react";

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
}

/** A choice in the bar of controls: the browser's own menu, which works by keyboard, by touch and in full screen. */
export function Choice({ label, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className="figures h-11 max-w-28 min-w-14 cursor-pointer appearance-none truncate rounded-control bg-transparent px-2 text-center text-small font-medium text-ink hover:bg-raised"
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} className="bg-surface text-ink">
          {option.text}
        </option>
      ))}
    </select>
  );
}
