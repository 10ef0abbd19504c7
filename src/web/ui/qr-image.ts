import { encode } from "uqr";
import { quietZone } from "./qr-code.tsx";

/** Pixels of a module: sharp on any phone, and some 500 pixels for the whole. */
const scale = 10;
const lineHeight = 28;

/** Returns a PNG of a QR code with lines of text below it, to be saved or shared. Throws when the browser draws none. */
export async function drawQrImage(text: string, lines: string[]): Promise<Blob> {
  const { size, data } = encode(text, { ecc: "M", border: quietZone });
  const width = size * scale;
  const canvas = Object.assign(document.createElement("canvas"), { width, height: width + lines.length * lineHeight });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser draws no pictures.");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries()) if (isDark) context.fillRect(x * scale, y * scale, scale, scale);
  }
  context.font = `${lineHeight * 0.7}px sans-serif`;
  context.textAlign = "center";
  for (const [index, line] of lines.entries()) {
    context.fillText(line, width / 2, width + index * lineHeight, width * 0.95);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("This browser saves no pictures."))), "image/png");
  });
}
