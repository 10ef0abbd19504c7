import type { ReactNode } from "react";
import { useTitle } from "../../platform/site.ts";
import { texts } from "#domain/texts/texts";
import { Closing } from "./closing.tsx";
import { Curriculum } from "./curriculum.tsx";
import { Footer } from "./footer.tsx";
import { Hero } from "./hero.tsx";
import { Pricing } from "./pricing.tsx";
import { Stories } from "./stories.tsx";
import { TopBar } from "./top-bar.tsx";

/** Prerendered at build time and complete without script. */
export function LandingPage(): ReactNode {
  useTitle(texts.landing.title);
  return (
    <>
      <TopBar />
      <main id="content" tabIndex={-1} className="outline-none">
        <Hero />
        <Curriculum />
        <Stories />
        <Pricing />
        <Closing />
      </main>
      <Footer />
    </>
  );
}
