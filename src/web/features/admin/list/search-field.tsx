import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { useShortcuts } from "../../../platform/keyboard/shortcuts.ts";

/** Milliseconds without a key until the list is searched. */
const pauseMs = 250;

interface SearchFieldProps {
  label: string;
  /** What is searched for now. */
  value: string;
  onSearch: (text: string) => void;
}

/** Searches while one types. `/` moves the focus here from anywhere on the page but a field, while shortcuts are on (LIST-4). */
export function SearchField({ label, value, onSearch }: SearchFieldProps): ReactNode {
  const [typed, setTyped] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  // Only once the address has caught up: a letter typed until then would be lost.
  if (typed === value) setTyped(undefined);
  const searchAfterPause = useEffectEvent(onSearch);
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => searchAfterPause(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  useShortcuts({
    "/": () => {
      // A tab that is kept behind the open one has a field too.
      if (field.current?.closest("[hidden]") !== null) return false;
      field.current.focus();
      return field.current.select();
    },
  });
  return (
    <div className="relative min-w-0 grow basis-64 max-sm:basis-40">
      <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4.5 text-muted" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        maxLength={200}
        value={typed ?? value}
        // A tab comes along from a spreadsheet; `searchFilter` refuses it.
        onChange={({ target }) => setTyped(target.value.replace(/\p{Cc}+/gu, " "))}
        onKeyDown={({ key }) => key === "Enter" && typed !== undefined && onSearch(typed)}
        className="min-h-11 w-full rounded-control border border-control bg-surface pr-3 pl-10 text-ink placeholder:text-muted hover:border-ink"
      />
    </div>
  );
}
