import { parseWebVtt, type Cue } from "./webvtt.ts";

const srtTime = String.raw`(\d{1,2}:[0-5]\d:[0-5]\d)[,.](\d{3})`;
/** Times, which the coordinates of old players may follow. */
const srtTiming = new RegExp(String.raw`^${srtTime}[ \t]*-->[ \t]*${srtTime}(?:[ \t]+[XY][12]:\d+)*[ \t]*$`);

/** What stands before the first caption of a SubRip file, though with a fault: WebVTT's signature would be looked for otherwise. */
const srtBeginning = /^[ \t]*\d+:\d+(?::\d|,).*-->/;

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
  if (!srtBeginning.test(first ?? "")) return parseWebVtt(file);
  return parseWebVtt(header + lines.map(toWebVttLine).join("\n"), -1);
}

function toWebVttLine(line: string): string {
  const match = srtTiming.exec(line);
  // A line of codes alone must not end its cue, as an empty one would.
  if (match === null) return line.trim() === "" ? "" : line.replaceAll(styleCode, "") || " ";
  const [, start, startMs, end, endMs] = match;
  // Stryker disable next-line StringLiteral: the pattern has both clocks.
  const padded = (clock = ""): string => clock.padStart(8, "0");
  return `${padded(start)}.${startMs} --> ${padded(end)}.${endMs}`;
}
