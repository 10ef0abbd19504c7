import type { ReactNode } from "react";
import { useShortcutsSetting } from "../platform/keyboard/shortcuts.ts";

/** The key of a button, on screens wide enough for a keyboard; nothing while shortcuts are off. The button has `aria-keyshortcuts`. */
export function KeyHint({ children }: { children: string }): ReactNode {
  const [isOn] = useShortcutsSetting();
  if (!isOn) return null;
  return (
    <kbd
      aria-hidden
      className="hidden min-w-5 rounded-control border border-current px-1 text-center font-figures text-[0.75rem]/4.5 lg:inline-block"
    >
      {children}
    </kbd>
  );
}
