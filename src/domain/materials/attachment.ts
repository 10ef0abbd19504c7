import { ProductError } from "../errors/messages.ts";
import { fileTooLarge, type ChosenFile } from "../files/chosen-file.ts";
import { fileExtension, imageExtensions } from "../files/file-names.ts";
import { imageType, startsWith } from "../files/file-types.ts";

/** 100 MB (FILE-14). */
export const maxAttachmentBytes = 100 * 1024 ** 2;

/** A picture of a lesson must be smaller than 10 MB; it is stored as a small one (FILE-15). */
export const maxPosterBytes = 10 * 1024 ** 2;

/** The most files and the most languages that one lesson has. */
export const maxAttachments = 20;
export const maxCaptionLanguages = 20;

const text = (contentType: string) => ({ contentType, fits: isText });
const zip = (contentType: string) => ({ contentType, fits: isZip });
const program = { contentType: "application/octet-stream", fits: (head: Uint8Array) => !isOtherProgram(head) };

/** The files that a lesson may offer besides images, each with the check of its first bytes. */
const kinds: Record<string, { contentType: string; fits(head: Uint8Array): boolean }> = {
  ".pdf": { contentType: "application/pdf", fits: isPdf },
  ".xlsx": zip("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
  ".zip": zip("application/zip"),
  ".csv": text("text/csv"),
  ".txt": text("text/plain"),
  // Sources of indicators: TradingView's Pine Script, MetaTrader's MQL.
  ".pine": text("text/plain"),
  ".mq4": text("text/plain"),
  ".mq5": text("text/plain"),
  ".ex4": program,
  ".ex5": program,
};

/** For the `accept` of a file field. */
export const attachmentExtensions: readonly string[] = [...Object.keys(kinds), ...imageExtensions];

/** Checks a chosen attachment before anything is sent: throws `attachment_type_invalid`, or `attachment_too_large` from `limit` bytes on. */
export function checkAttachmentFile({ name, size }: Pick<ChosenFile, "name" | "size">, limit: number): void {
  if (!attachmentExtensions.includes(fileExtension(name))) throw new ProductError("attachment_type_invalid");
  if (size >= limit) throw fileTooLarge("attachment_too_large", limit);
}

/**
 * Returns the type of an attachment (FILE-14), or undefined for one that a lesson may not offer: its extension must be in the list and its
 * first bytes must fit, since a student's computer goes by the extension.
 */
export function attachmentType(head: Uint8Array, filename: string): string | undefined {
  const extension = fileExtension(filename);
  if (imageExtensions.includes(extension)) return imageType(head);
  const kind = Object.hasOwn(kinds, extension) ? kinds[extension] : undefined;
  return kind?.fits(head) ? kind.contentType : undefined;
}

/** `%PDF-` is within the first 1,024 bytes (ISO 32000-1, annex H, note 13). */
function isPdf(head: Uint8Array): boolean {
  return String.fromCharCode(...head.subarray(0, 1024)).includes("%PDF-");
}

function isZip(head: Uint8Array): boolean {
  return startsWith(head, [0x50, 0x4b, 0x03, 0x04]);
}

/**
 * Text has no NUL, unless it is UTF-16, as MetaTrader's editor writes it. It may begin with "MZ" or "#!": a program has a NUL in its header,
 * and a script that is named as text is opened as text.
 */
function isText(head: Uint8Array): boolean {
  const isUtf16 = startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff]);
  return isUtf16 || (!head.includes(0) && !isPdf(head));
}

/** A program or a script that a computer runs by itself: of Windows, Linux and macOS. */
function isOtherProgram(head: Uint8Array): boolean {
  const signatures = [
    [0x4d, 0x5a],
    [0x7f, 0x45, 0x4c, 0x46],
    [0x23, 0x21],
    [0xcf, 0xfa, 0xed, 0xfe],
    [0xce, 0xfa, 0xed, 0xfe],
    [0xca, 0xfe, 0xba, 0xbe],
  ];
  return signatures.some((signature) => startsWith(head, signature));
}
