import { errors, ProductError } from "../errors/messages.ts";
import { fileExtension, imageExtensions } from "./file-names.ts";

/** What a file's name and the browser say of it, before anyone has looked inside. */
export interface ChosenFile {
  name: string;
  /** Empty where the system does not know the kind, as HEIC on many. */
  type: string;
  size: number;
}

/** Some systems save a JPEG as .jfif. */
const screenshotExtensions = [...imageExtensions, ".jfif"];

function looksLikeImage({ name, type }: ChosenFile): boolean {
  const isUnknown = type === "" || type === "application/octet-stream";
  if (isUnknown) return screenshotExtensions.includes(fileExtension(name));
  return type.startsWith("image/") && type !== "image/svg+xml";
}

/** Returns the error of a file that is not smaller than `limit` bytes: the specified text, which says 5GB, with the limit that applies. */
export function fileTooLarge(code: TooLargeCode, limit: number): ProductError {
  return new ProductError(code, { text: errors[code].text.replace("5GB", sizeText(limit)) });
}

/** The codes whose text names the limit. */
export type TooLargeCode = "screenshot_too_large" | "video_too_large" | "attachment_too_large";

/** A size in the largest unit that is not larger, with at most one decimal, rounded down: 20971520 is "20MB". */
function sizeText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${Math.floor((bytes / 1024 ** power) * 10) / 10}${units[power]}`;
}

/** Checks a chosen screenshot before anything is sent (PAY-8): throws `screenshot_type_invalid`, or `screenshot_too_large` from `limit` bytes on. */
export function checkScreenshotFile(file: ChosenFile, limit: number): void {
  if (!looksLikeImage(file)) throw new ProductError("screenshot_type_invalid");
  if (file.size >= limit) throw fileTooLarge("screenshot_too_large", limit);
}

/** Checks a chosen video before anything is sent: throws `video_type_invalid`, or `video_too_large` from `limit` bytes on. */
export function checkVideoFile(file: Pick<ChosenFile, "type" | "size">, limit: number): void {
  if (!file.type.startsWith("video/")) throw new ProductError("video_type_invalid");
  if (file.size >= limit) throw fileTooLarge("video_too_large", limit);
}
