import { Menu as BaseMenu } from "@base-ui/react/menu";
import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "./button.tsx";
import { cx } from "./cx.ts";

interface MenuProps {
  /** Names the button for those who hear it. */
  label: string;
  /** What the button displays. */
  children: ReactNode;
  items: readonly MenuItem[];
}

export interface MenuItem {
  name: string;
  /** What choosing it does. */
  description?: string;
  /** What holds now; it cannot be chosen. */
  isCurrent?: boolean;
  isDangerous?: boolean;
  onChoose: () => void;
}

/** A button that opens a list of actions. Opening it and moving through it changes nothing; Enter or a click on an item does. */
export function Menu({ label, children, items }: MenuProps): ReactNode {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger aria-label={label} className={buttonClass("secondary", "small", "justify-between")}>
        {children}
        <ChevronDown aria-hidden className="size-4 shrink-0" />
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-40 outline-none">
          <BaseMenu.Popup className="appear max-w-80 rounded-panel border border-control bg-surface p-1 outline-none">
            {items.map((item) => (
              <BaseMenu.Item
                key={item.name}
                disabled={item.isCurrent === true}
                onClick={item.onChoose}
                className="flex min-h-11 cursor-pointer items-start gap-3 rounded-control px-3 py-2 -outline-offset-2 data-disabled:cursor-default data-highlighted:bg-raised"
              >
                <span className="min-w-0 grow">
                  <span className={cx("block text-small font-medium", item.isDangerous === true ? "text-loss" : "text-ink")}>
                    {item.name}
                  </span>
                  {item.description !== undefined && <span className="block text-small text-muted">{item.description}</span>}
                </span>
                {item.isCurrent === true && <Check aria-hidden className="mt-0.5 size-4.5 shrink-0 text-gain" />}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
