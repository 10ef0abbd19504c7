/** Returns the extension of a file name, in lower case with its dot; empty where it is not 1 to 10 letters and digits. */
export function fileExtension(filename: string): string {
  const match = /\.([A-Za-z0-9]{1,10})$/.exec(filename);
  return match?.[1] ? `.${match[1].toLowerCase()}` : "";
}

/** Extensions that fit each type that `imageType` and `videoType` find; the first is the type's own. */
const extensionsByType: Record<string, readonly string[]> = {
  "image/png": [".png"],
  "image/jpeg": [".jpg", ".jpeg", ".jpe", ".jfif"],
  "image/webp": [".webp"],
  "image/gif": [".gif"],
  "image/avif": [".avif"],
  "image/heic": [".heic", ".heif"],
  "image/bmp": [".bmp", ".dib"],
  "image/tiff": [".tif", ".tiff"],
  "video/mp4": [".mp4", ".m4v"],
  "video/quicktime": [".mov", ".qt"],
  "video/webm": [".webm"],
  "video/x-matroska": [".mkv"],
  "video/x-msvideo": [".avi"],
  "video/ogg": [".ogv", ".ogg"],
  "video/x-ms-wmv": [".wmv", ".asf"],
  "video/x-flv": [".flv"],
  "video/mpeg": [".mpg", ".mpeg"],
  "video/mp2t": [".ts", ".mts", ".m2ts"],
};

/** Extensions that few programs give their images; a lesson's attachment cannot have them. */
const rareExtensions = [".jpe", ".jfif", ".dib"];

/** The usual extensions of images. */
export const imageExtensions: readonly string[] = Object.entries(extensionsByType)
  .flatMap(([type, extensions]) => (type.startsWith("image/") ? extensions : []))
  .filter((extension) => !rareExtensions.includes(extension));

/** Returns the file name's own extension where it fits the type found in the file, else the type's own; empty for an unknown type. */
export function safeExtension(filename: string, contentType: string): string {
  const fitting = extensionsByType[contentType] ?? [];
  const own = fileExtension(filename);
  return fitting.includes(own) ? own : (fitting[0] ?? "");
}

/** Returns the name to save a file under: a name whose extension does not fit the file's type gets the type's own after it. */
export function downloadName(filename: string, contentType: string): string {
  const extension = safeExtension(filename, contentType);
  return extension === fileExtension(filename) ? filename : `${filename}${extension}`;
}

/** Returns the stored name of a screenshot: user id, timestamp in milliseconds, and an extension that fits its type (FILE-4). */
export function screenshotName(userId: string, timestamp: number, filename: string, contentType: string): string {
  return `${userId}-${timestamp}${safeExtension(filename, contentType)}`;
}
