import { Contrast } from "lucide-react";
import type { ReactNode } from "react";
import { useIsLight } from "../platform/theme.ts";
import { IconButton } from "./button.tsx";

/** Dark or light. Its click is handled by `public/theme.js`, so that it also works where React has not started. */
export function ThemeSwitch({ className }: { className?: string }): ReactNode {
  return (
    <IconButton label="Light theme" data-theme-switch="" aria-pressed={useIsLight()} className={className}>
      <Contrast aria-hidden className="size-4.5" />
    </IconButton>
  );
}
