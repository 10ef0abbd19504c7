import { Tabs as BaseTabs } from "@base-ui/react/tabs";
import { useState, type ReactNode } from "react";

export interface TabItem {
  value: string;
  label: ReactNode;
  panel: ReactNode;
  /** Keeps the panel alive behind other tabs, so that a half-filled form or a running upload survives. */
  isKept?: boolean;
}

interface TabsProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  items: TabItem[];
}

/** Tabs whose panels are rendered once they are selected. */
export function Tabs({ label, value, onChange, items }: TabsProps): ReactNode {
  const [visited, setVisited] = useState([value]);
  if (!visited.includes(value)) setVisited([...visited, value]);
  return (
    <BaseTabs.Root value={value} onValueChange={(next) => onChange(String(next))}>
      <BaseTabs.List
        aria-label={label}
        className="-mx-4 flex overflow-x-auto border-b border-line px-4 sm:mx-0 sm:gap-1 sm:px-0"
      >
        {items.map((item) => (
          <BaseTabs.Tab
            key={item.value}
            value={item.value}
            className="-mb-px inline-flex min-h-12 items-center gap-2 border-b-2 border-transparent px-2 text-small font-medium whitespace-nowrap text-muted -outline-offset-2 transition-colors hover:text-ink data-active:border-action data-active:text-ink sm:px-4"
          >
            {item.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {items.map((item) => (
        <BaseTabs.Panel
          key={item.value}
          value={item.value}
          keepMounted={item.isKept === true && visited.includes(item.value)}
          className="pt-6"
          tabIndex={-1}
        >
          {item.panel}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
