import { errors, ProductError } from "../errors/messages.ts";

/** Captions must be smaller than 1 MB: hours of speech have a tenth of it (FILE-13). */
export const maxCaptionBytes = 1024 ** 2;

/** Several times what the longest film has. */
export const maxCues = 20_000;

/** A caption and the time at which it is on the screen, from the start of the film. */
export interface Cue {
  startMs: number;
  endMs: number;
  /** Its position as cue settings of WebVTT; empty for the default, at the bottom. */
  settings: string;
  text: string;
}

/** The codes whose text names a line. */
type LineCode = Extract<keyof typeof errors, `captions_line_${string}`>;

/** A line with its number in the file. */
interface Line {
  number: number;
  text: string;
}

const time = String.raw`(?:(\d{2}):)?([0-5]\d):([0-5]\d)\.(\d{3})`;
const timing = new RegExp(String.raw`^${time}[ \t]+-->[ \t]+${time}(?:[ \t]+(.*))?$`);

/**
 * Reads a WebVTT file (W3C, sections 4 and 6), strictly, and returns its cues in their order. Comments, styles and regions are left out,
 * and of a cue's text every tag that WebVTT does not have. Throws an error that names the line, counted from `firstLine`,
 * `captions_empty` or `captions_too_many`.
 */
export function parseWebVtt(file: string, firstLine = 1): Cue[] {
  const [first, ...rest] = blocksOf(file.replace(/^\ufeff/, ""), firstLine);
  // Stryker disable next-line OptionalChaining,StringLiteral: every block has a line, and no other text is the signature.
  if (!/^WEBVTT(?:[ \t].*)?$/.test(first?.[0]?.text ?? "")) throw lineError("captions_line_signature", 1);
  // A header without an empty line behind it ends at the first time, as in browsers.
  const end = first!.findIndex(({ text }, index) => index > 0 && text.includes("-->"));
  const blocks = end === -1 ? rest : [first!.slice(end), ...rest];
  const cues: Cue[] = [];
  for (const block of blocks) {
    if (/^(?:NOTE|STYLE|REGION)(?:[ \t].*)?$/.test(block[0]!.text)) continue;
    const cue = parseCue(block);
    if (cue.startMs < (cues.at(-1)?.startMs ?? 0)) throw lineError("captions_line_order", lineOfTiming(block));
    cues.push(cue);
    if (cues.length > maxCues) throw new ProductError("captions_too_many");
  }
  if (cues.length === 0) throw new ProductError("captions_empty");
  return cues;
}

/** Returns cues as a WebVTT file. `parseWebVtt` returns the same cues for it. */
export function writeWebVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ startMs, endMs, settings, text }) => {
    const times = `${timeText(startMs)} --> ${timeText(endMs)}${settings && ` ${settings}`}`;
    return text === "" ? times : `${times}\n${text}`;
  });
  return `${["WEBVTT", ...blocks].join("\n\n")}\n`;
}

/** Returns the lines of a file in blocks that empty lines separate. */
function blocksOf(file: string, firstLine: number): Line[][] {
  const blocks: Line[][] = [[]];
  for (const [index, text] of file.split(/\r\n|\n|\r/).entries()) {
    if (text !== "") blocks.at(-1)!.push({ number: index + firstLine, text });
    else if (blocks.at(-1)!.length > 0) blocks.push([]);
  }
  if (blocks.at(-1)!.length === 0) blocks.pop();
  return blocks;
}

/** A cue may begin with a line that names it. */
function timingIndex(block: readonly Line[]): number {
  return block[0]!.text.includes("-->") ? 0 : 1;
}

function lineOfTiming(block: readonly Line[]): number {
  return block[timingIndex(block)]?.number ?? block[0]!.number;
}

function parseCue(block: readonly Line[]): Cue {
  const number = lineOfTiming(block);
  // Stryker disable next-line StringLiteral: no other text is a time.
  const match = timing.exec(block[timingIndex(block)]?.text ?? "");
  if (match === null) throw lineError("captions_line_time", number);
  const [startMs, endMs] = [timeOf(match.slice(1, 5)), timeOf(match.slice(5, 9))];
  if (startMs >= endMs) throw lineError("captions_line_end", number);
  const lines = block.slice(timingIndex(block) + 1);
  const arrow = lines.find(({ text }) => text.includes("-->"));
  if (arrow) throw lineError("captions_line_gap", arrow.number);
  // Stryker disable next-line StringLiteral: what is no setting is left out.
  return { startMs, endMs, settings: knownSettings(match[9] ?? ""), text: knownTags(lines.map(({ text }) => text).join("\n")) };
}

function timeOf([hours, minutes, seconds, milliseconds]: readonly (string | undefined)[]): number {
  return ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(milliseconds);
}

function timeText(milliseconds: number): string {
  const parts = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60];
  const text = parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
  return `${text}.${String(milliseconds % 1000).padStart(3, "0")}`;
}

const number = String.raw`\d{1,9}(?:\.\d{1,9})?`;
const setting = new RegExp(
  `^(?:vertical:(?:rl|lr)|line:(?:-?${number}|${number}%)(?:,(?:start|center|end))?|size:${number}%|` +
    `position:${number}%(?:,(?:line-left|center|line-right))?|align:(?:start|center|end|left|right))$`,
);

function knownSettings(text: string): string {
  return text
    .split(/[ \t]/)
    .filter((one) => setting.test(one))
    .join(" ");
}

const attributes = String.raw`(?:[ \t]+[a-z][\w:-]*=(?:"[^"<>\n]*"|'[^'<>\n]*'|[^\s"'<>]+))*[ \t]*`;
const classes = String.raw`(?:\.[^\s.&<>]+)*`;
/** An arrow, which is escaped afterwards, ends no tag. */
const tagEnd = "(?<!--)>";

const knownTag = new RegExp(
  `^<(?:/(?:c|i|b|u|ruby|rt|v|lang)|(?:c|i|b|u|ruby|rt|v|lang)${classes}${attributes}|(?:v|lang)${classes}[ \\t][^<>\\n]*)${tagEnd}`,
);

/**
 * Whatever is written as a tag or a time stamp, or a "<" that begins neither. Other tags than those of WebVTT have a name and attributes
 * with values, as HTML has: words between two signs, such as in "EMA9<EMA21 and RSI>70", are no tag.
 */
const tagOrSign = new RegExp(
  `${knownTag.source.slice(1)}|</?[a-z][a-z0-9]*${attributes}/?${tagEnd}|<(?:(?:\\d{2,}:)?\\d{2}:\\d{2}\\.\\d{3}>)?`,
  "gi",
);

/**
 * Returns a cue's text with the tags of WebVTT alone, and without lines that are empty then: they would end the cue. A "<" of the words
 * themselves is escaped, since browsers would hide what follows it.
 */
function knownTags(text: string): string {
  return text
    .replace(tagOrSign, (found) => (found === "<" ? "&lt;" : knownTag.test(found) ? found : ""))
    .replaceAll("-->", "--&gt;")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n");
}

function lineError(code: LineCode, line: number): ProductError {
  return new ProductError(code, { text: errors[code].text.replace("Line 1", `Line ${line}`) });
}
