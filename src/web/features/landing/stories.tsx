import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { Section } from "./section.tsx";

const stories = [
  {
    quote: "I stopped taking the trades I had to explain to myself. Two setups a week, one percent each. The rest is waiting.",
    name: "Napat, accountant in Chiang Mai",
    profit: "+$3,180",
    timeframe: "in 5 months",
  },
  {
    quote: "The risk lessons paid for everything else. My losing weeks are boring now, and boring was what I had been missing.",
    name: "Elena, nurse in Lisbon",
    profit: "+$7,450",
    timeframe: "in 9 months",
  },
  {
    quote:
      "Counting waves did not make me right more often. It told me sooner that I was wrong, which turned out to be worth more.",
    name: "James, developer in Leeds",
    profit: "+$12,900",
    timeframe: "in 14 months",
  },
];

export function Stories(): ReactNode {
  return (
    <Section
      id="stories"
      title={texts.landing.navStories}
      lead="Illustrative examples. The people and figures below are invented to show the habits we teach and the time they take. They are not results of real students, and most people who trade lose money."
    >
      <ul className="grid gap-x-10 gap-y-8 md:grid-cols-3">
        {stories.map(({ quote, name, profit, timeframe }) => (
          <li key={name}>
            <figure className="flex h-full flex-col border-t-2 border-action pt-5">
              <p className="figures flex items-baseline gap-2">
                <span className="text-heading font-semibold tracking-tight text-gain">{profit}</span>
                <span className="text-small text-muted">{timeframe}</span>
              </p>
              <blockquote className="mt-4 grow">
                <p>“{quote}”</p>
              </blockquote>
              <figcaption className="mt-5 text-small text-muted">{name} · illustrative</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  );
}
