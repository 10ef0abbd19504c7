import sharp, { type Sharp } from "sharp";

export interface ReceiptFacts {
  amount: string;
  reference: string;
  date: string;
}

export const someReceipt: ReceiptFacts = { amount: "17,395.00", reference: "014312143508", date: "12.11.2026 14:31" };

/** Digits and signs as five rows of three dots: drawn by hand, so that receipts look the same on machines without fonts. */
const glyphs: Record<string, number[]> = {
  "0": [7, 5, 5, 5, 7],
  "1": [2, 6, 2, 2, 7],
  "2": [7, 1, 7, 4, 7],
  "3": [7, 1, 7, 1, 7],
  "4": [5, 5, 7, 1, 1],
  "5": [7, 4, 7, 1, 7],
  "6": [7, 4, 7, 5, 7],
  "7": [7, 1, 1, 2, 2],
  "8": [7, 5, 7, 5, 7],
  "9": [7, 5, 7, 1, 7],
  ".": [0, 0, 0, 0, 2],
  ",": [0, 0, 0, 2, 4],
  ":": [0, 2, 0, 2, 0],
  " ": [0, 0, 0, 0, 0],
};

/** Any other letter has a shape of its own, if not the one we write. */
const glyphOf = (letter: string): number[] =>
  glyphs[letter] ?? Array.from({ length: 5 }, (_, row) => 1 + ((letter.charCodeAt(0) * (row + 3)) % 7));

const width = 780;
const height = 1560;

/** A picture to paint on, three bytes a pixel. */
class Canvas {
  readonly pixels = Buffer.alloc(width * height * 3);

  rectangle(left: number, top: number, wide: number, high: number, ink: number): void {
    const row = Buffer.alloc(wide * 3);
    for (let x = 0; x < wide; x += 1) row.writeUIntBE(ink, x * 3, 3);
    for (let y = top; y < top + high; y += 1) row.copy(this.pixels, (y * width + left) * 3);
  }

  disc(x: number, y: number, radius: number, ink: number): void {
    for (let up = -radius; up <= radius; up += 1) {
      const half = Math.round(Math.sqrt(radius * radius - up * up));
      this.rectangle(x - half, y + up, half * 2 + 1, 1, ink);
    }
  }

  write(text: string, left: number, top: number, dot: number, ink: number): void {
    for (const [index, letter] of [...text].entries()) {
      for (const [row, bits] of glyphOf(letter).entries()) {
        for (const column of [0, 1, 2]) {
          if (bits & (4 >> column)) this.rectangle(left + (index * 4 + column) * dot, top + row * dot, dot, dot, ink);
        }
      }
    }
  }
}

/** A bank app's receipt on a phone: every one of the same template, but for its facts. */
export function receipt(facts: ReceiptFacts = someReceipt): Sharp {
  const [ground, paper, green, ink, muted] = [0xeef3f0, 0xffffff, 0x17a34a, 0x222222, 0x667766];
  const canvas = new Canvas();
  canvas.rectangle(0, 0, width, height, ground);
  canvas.disc(390, 190, 70, green);
  canvas.write("Transfer completed", 170, 300, 6, ink);
  canvas.rectangle(40, 380, 700, 900, paper);
  canvas.write("From Somchai J", 80, 440, 5, ink);
  canvas.write("To Pipwright Co Ltd", 80, 520, 5, ink);
  canvas.write("Kasikornbank x 5678 9", 80, 580, 4, muted);
  canvas.write("Amount", 80, 700, 5, muted);
  canvas.write(facts.amount, 400, 695, 7, ink);
  canvas.write("Date", 80, 800, 5, muted);
  canvas.write(facts.date, 360, 800, 5, ink);
  canvas.write("Reference", 80, 900, 5, muted);
  canvas.write(facts.reference, 400, 900, 5, ink);
  canvas.rectangle(40, 1340, 700, 110, green);
  canvas.write("Done", 340, 1375, 8, paper);
  return sharp(canvas.pixels, { raw: { width, height, channels: 3 } });
}
