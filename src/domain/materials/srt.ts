import { parseWebVtt, type Cue } from "./webvtt.ts";

const srtTiming = /^(\d{1,2}:[0-5]\d:[0-5]\d)[,.](\d{3})([ \t]+-->[ \t]+)(\d{1,2}:[0-5]\d:[0-5]\d)[,.](\d{3})[ \t]*$/;

/** A code of SubRip for place or style, such as `{\an8}` at the top. */
const styleCode = /\{\\[^{}]*\}/g;

/** The lines that a WebVTT file has before its first cue. */
const header = "WEBVTT\n\n";

/**
 * Returns the cues of a WebVTT file, or of a SubRip file (.srt), whose numbers of cues are left out. Throws what `parseWebVtt` throws, with
 * the lines of the file itself.
 */
export function parseCaptions(file: string): Cue[] {
  const lines = file.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  const first = lines.find((line) => line.trim() !== "" && !/^\s*\d+\s*$/.test(line));
  // Stryker disable next-line StringLiteral: any text without a time does.
  if (!srtTiming.test(first ?? "")) return parseWebVtt(file);
  return parseWebVtt(header + lines.map(toWebVttLine).join("\n"), -1);
}

function toWebVttLine(line: string): string {
  const match = srtTiming.exec(line);
  // A line of codes alone must not end its cue, as an empty one would.
  if (match === null) return line.trim() === "" ? "" : line.replaceAll(styleCode, "") || " ";
  const [, start, startMs, arrow, end, endMs] = match;
  // Stryker disable next-line StringLiteral: the pattern has both clocks.
  const padded = (clock = ""): string => clock.padStart(8, "0");
  return `${padded(start)}.${startMs}${arrow}${padded(end)}.${endMs}`;
}
