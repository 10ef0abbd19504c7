/** What opens under each feature row of the pricing cards. */
export const featureAbout: Record<string, string> = {
  "Forex Basics":
    "Pairs, pips, lots and leverage, how an order is filled, and how to set up a platform without hurting yourself.",
  "SMC Full Course":
    "Smart Money Concepts from the ground up: structure, liquidity, order blocks, fair value gaps, and how they fit on one chart.",
  "SMC Trade Plan":
    "A written plan you can print: which pairs, which hours, what must be true before entry, where the stop goes.",
  "Elliott Wave Full Course":
    "The five-wave and three-wave forms, the rules that may not be broken, and counting while the bar is still open.",
  "Elliott Wave Trade Plan": "Where a count gives an entry, where it is proved wrong, and how much to risk between the two.",
  "SMC + Wave Trade Plan":
    "Both methods on one chart: the wave tells you where in the story you are, the structure tells you when.",
  "Risk Management": "Position size from the stop, daily and weekly limits, and what to do after three losses in a row.",
  "Psychology & Mindset Mastery (Basic)": "A routine before, a checklist during and a journal after each session.",
  "Psychology & Mindset Mastery (Full Course)":
    "The routine, checklist and journal, then the harder part: tilt, boredom, size fear, and trading beside a job.",
  "Weekly Live Mentorship":
    "Two live video sessions per week with the instructor: the week ahead, then your own trades and questions.",
};
