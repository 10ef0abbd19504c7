// @ts-check

/**
 * What each sample film shows beside its lesson's title: a chart of prices.js or figures.js and three lines that appear one after another.
 * @type {Record<string, { chart: string, points: string[] }>} keyed by file name
 */
export const films = {
  "forex-basics-1.mp4": { chart: "pair", points: ["Base left, quote right", "You buy at the ask", "You sell at the bid"] },
  "forex-basics-2.mp4": { chart: "pips", points: ["Know your pip value", "Count the spread", "Count the nights"] },
  "forex-basics-3.mp4": { chart: "candle", points: ["Four prices, no magic", "Body: who won", "Wick: who tried"] },
  "smc-course-1.mp4": { chart: "structure", points: ["Mark highs and lows", "One timeframe first", "Wait for the break"] },
  "smc-course-2.mp4": {
    chart: "orderBlock",
    points: ["Last candle before the move", "A place, not a signal", "Half of them fail"],
  },
  "smc-course-3.mp4": {
    chart: "liquidity",
    points: ["Equal highs attract stops", "The sweep comes first", "Place yours elsewhere"],
  },
  "smc-course-4.mp4": { chart: "plan", points: ["One page per pair", "Write it before the open", "Test it by hand"] },
  "elliott-wave-1.mp4": {
    chart: "impulse",
    points: ["Two never passes the start", "Three is never the shortest", "Four stays off one"],
  },
  "elliott-wave-2.mp4": {
    chart: "correction",
    points: ["Three waves, not five", "Expect overlap", "Doing nothing is a trade"],
  },
  "elliott-wave-3.mp4": { chart: "scenarios", points: ["Always two scenarios", "A level ends each", "Size before entry"] },
  "risk-management-1.mp4": { chart: "days", points: ["Tired or angry: no", "Just won: wait", "Most days are quiet"] },
  "risk-management-2.mp4": { chart: "tenLosses", points: ["Ten losses will come", "1 %: 90 % is left", "10 %: 35 % is left"] },
  "psychology-1.mp4": { chart: "revenge", points: ["First loss: planned", "Then the size grows", "Stand up instead"] },
  "psychology-2.mp4": { chart: "journal", points: ["Six fields", "Two minutes", "Fifty trades, then judge"] },
  "live-trading-1.mp4": { chart: "live", points: ["Prepare before eight", "Two hours of waiting", "One entry is enough"] },
  "live-trading-2.mp4": { chart: "week", points: ["Results are not decisions", "One lucky mistake", "Change one thing"] },
};

/** The colour of each module. @type {Record<string, string>} */
export const accents = {
  "Forex Basics": "#6ea8fe",
  "SMC Course": "#2fcf9f",
  "Elliott Wave": "#b79bff",
  "Risk Management": "#e5b75f",
  Psychology: "#f29ac0",
  "Live Trading": "#ff8f6b",
};
