import sharp, { type Sharp } from "sharp";
import { encode } from "uqr";
import type { Random } from "./random.ts";

/** A code on a slip: what it says, its place, and the pixels of one module. */
interface DrawnCode {
  text: string;
  left: number;
  top: number;
  module: number;
  ecc: "L" | "M" | "Q";
  ink: string;
}

const inks = ["#000000", "#111111", "#1a1a2e", "#0b2545", "#3b1f5b"];
const brands = ["#4e2e7f", "#138f2d", "#1ba5e1", "#fec43b", "#1e4598", "#f47b20", "#eb198d"];

/** Side of a code in modules, with its quiet zone. */
const quiet = 4;

/**
 * Returns a bank app's slip on a phone, drawn by chance: size, colours, place and size of the code, and on one in four a second code
 * that is no slip's. The letters look as the machine's fonts make them.
 */
export function drawSlip(text: string, random: Random): Sharp {
  const width = random.whole(720, 1290);
  const height = Math.round(width * random.between(1.3, 2.1));
  const brand = random.pick(brands);
  const isDark = random.whole(1, 6) === 1;
  const code = placedCode(text, width, height, random);
  const codes = [code];
  if (random.whole(1, 4) === 1) codes.push(otherCode(width, code, random));
  const lines = Array.from({ length: 9 }, (_, index) => {
    const y = Math.round(height * (0.24 + index * 0.045));
    return `<text x="${width * 0.08}" y="${y}" font-family="sans-serif" font-size="${Math.round(width * 0.035)}"
      fill="${isDark ? "#ddd" : "#333"}">${random.text("ABCDEFGHKLMNOPRSTUVWXYZ abcdefghiklmnoprstuvwxyz 0123456789 .,:/-", random.whole(12, 34))}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="ground" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${isDark ? "#1c1c22" : "#eef3f0"}"/>
    <stop offset="1" stop-color="${random.pick(brands)}" stop-opacity="${random.between(0, 0.5)}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="${isDark ? "#16161a" : "#ffffff"}"/><rect width="100%" height="100%" fill="url(#ground)"/>
    <rect width="100%" height="${height * 0.1}" fill="${brand}"/><circle cx="${width * 0.12}" cy="${height * 0.16}" r="${width * 0.05}" fill="${brand}"/>
    ${lines.join("")}${codes.map(drawCode).join("")}</svg>`;
  return sharp(Buffer.from(svg));
}

function placedCode(text: string, width: number, height: number, random: Random): DrawnCode {
  const ecc = random.pick(["L", "M", "M", "Q"] as const);
  const size = encode(text, { ecc, border: quiet }).size;
  // Banks draw their codes a fifth to nearly half as wide as the slip.
  const module = (width * random.between(0.18, 0.45)) / size;
  const side = module * size;
  const left = random.pick([width * 0.03, (width - side) / 2, width - side - width * 0.03]);
  return { text, left, top: height - side - height * random.between(0.01, 0.1), module, ecc, ink: random.pick(inks) };
}

/** A PromptPay code or a link, away from the slip's own. */
function otherCode(width: number, { top }: DrawnCode, random: Random): DrawnCode {
  const text = random.pick([
    "00020101021129370016A000000677010111011300668012345675802TH530376463046197",
    "https://example.com/app",
  ]);
  const module = (width * random.between(0.12, 0.2)) / encode(text, { ecc: "M", border: quiet }).size;
  return { text, left: width * 0.7, top: top * 0.35, module, ecc: "M", ink: "#000000" };
}

function drawCode({ text, left, top, module, ecc, ink }: DrawnCode): string {
  const { data, size } = encode(text, { ecc, border: quiet });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x},${y}h1v1h-1z`] : [])));
  return `<g transform="translate(${left},${top}) scale(${module})"><rect width="${size}" height="${size}" fill="#ffffff"/>
    <path d="${dark.join("")}" fill="${ink}" shape-rendering="crispEdges"/></g>`;
}
