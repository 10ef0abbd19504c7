import type { ReactNode } from "react";
import { curriculum } from "#domain/texts/texts";
import { Section } from "./section.tsx";

type CourseTitle = (typeof curriculum)[number]["title"];

const about: Record<CourseTitle, string> = {
  "Forex Fundamentals": "Pairs, pips, lots, sessions and costs. What a broker does, and what an order does to your account.",
  "Technical Analysis":
    "Structure before indicators: swings, ranges, liquidity, and the few tools that earn their place on a chart.",
  "Trading Strategies": "Two complete plans, from the first mark on the daily chart to the exit, with the reasons to stay out.",
  "Risk Management":
    "Position size, drawdown and correlation. The arithmetic that decides whether you are still here next year.",
  "Trading Psychology": "Routine, journal and rules for bad days. Less about willpower, more about not needing it.",
  "Live Trading": "Mornings at the screen, losers included, with the thinking said aloud while it happens.",
};

export function Curriculum(): ReactNode {
  return (
    <Section
      id="course"
      title="Six parts, in the order they depend on each other"
      lead="Each part ends with an exercise on your own chart. Nothing later makes sense without what stands before it, so nothing is skipped."
    >
      <ol className="grid border-t border-line md:grid-cols-2 md:gap-x-12">
        {curriculum.map(({ title, count, duration }, index) => (
          <li key={title} className="grid grid-cols-[2.5rem_1fr] gap-x-2 border-b border-line py-6">
            <span aria-hidden className="figures pt-0.5 text-small text-action">
              {String(index + 1).padStart(2, "0")}
            </span>
            <div>
              <h3 className="text-title">{title}</h3>
              <p className="figures mt-1 flex gap-4 text-small font-medium">
                <span>{count}</span>
                <span className="text-muted">{duration}</span>
              </p>
              <p className="mt-3 text-muted">{about[title]}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
