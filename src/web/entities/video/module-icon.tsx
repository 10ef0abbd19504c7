import { BookOpen, Brain, CirclePlay, Layers, Radio, Scale, Waves, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { ModuleName } from "#domain/texts/texts";

const icons: Record<ModuleName, LucideIcon> = {
  "Forex Basics": BookOpen,
  "SMC Course": Layers,
  "Elliott Wave": Waves,
  "Risk Management": Scale,
  Psychology: Brain,
  "Live Trading": Radio,
};

/** The picture of a module; a module the product does not know gets the default. */
export function ModuleIcon({ module, size = "regular" }: { module: string; size?: "regular" | "large" }): ReactNode {
  const Icon = Object.hasOwn(icons, module) ? icons[module as ModuleName] : CirclePlay;
  const look = size === "large" ? "size-9 text-muted" : "size-5 shrink-0 text-action";
  return <Icon aria-hidden data-module={module} className={look} strokeWidth={size === "large" ? 1.25 : 1.75} />;
}
