import { z } from "zod";
import { maxUploadBytes } from "#domain/files/buckets";
import { duration, folderOrBucket, locationPath, onOff, wholeNumber } from "./schemas.ts";
import type { Setting } from "./setting.ts";

export const files = {
  /** Relative to the project folder, or to where an installed package is started. */
  dataDir: {
    name: "DATA_DIR",
    isSecret: false,
    schema: z.string(),
    fallback: "./data",
    description: "Folder of the embedded database, the uploads and the secrets.",
  },
  accelRedirect: {
    name: "ACCEL_REDIRECT",
    isSecret: false,
    schema: locationPath(),
    example: "/stored-files",
    description:
      "Internal location of the nginx in front that leads to the folder `objects` of DATA_DIR (`deploy/nginx`). nginx then sends stored files itself, once the site has checked a link; films in fragments stay with the site (FILE-17).",
  },
  maxScreenshotBytes: {
    name: "MAX_SCREENSHOT_BYTES",
    isSecret: false,
    schema: wholeNumber(1024, maxUploadBytes),
    fallback: "20971520",
    description: "Largest payment screenshot; 20 MB unless set, at most 5 GB.",
  },
  maxVideoBytes: {
    name: "MAX_VIDEO_BYTES",
    isSecret: false,
    schema: wholeNumber(1024, maxUploadBytes),
    fallback: "5368709120",
    description: "Largest video file, at most 5 GB.",
  },
} satisfies Record<string, Setting>;

export const backups = {
  /** 0 for none. */
  everySeconds: {
    name: "BACKUP_EVERY",
    isSecret: false,
    schema: duration("1h", "30d"),
    fallback: "off",
    description: "`24h` makes a backup of everything each day, as `npm run backup` does, while the site serves.",
  },
  keep: {
    name: "BACKUP_KEEP",
    isSecret: false,
    schema: wholeNumber(1, 1000),
    fallback: "7",
    description: "How many scheduled backups are kept. Each has every film again.",
  },
  /** Relative to the project folder, or to where an installed package is started. */
  dir: {
    name: "BACKUP_DIR",
    isSecret: false,
    schema: folderOrBucket(),
    fallback: "./backups",
    description:
      "Folder of the scheduled backups: best on another disk, and the same one for all processes. Or `s3://bucket/folder` in the store of the S3_ settings, which then do without S3_BUCKET.",
  },
} satisfies Record<string, Setting>;

export const playback = {
  maxDevices: {
    name: "MAX_DEVICES",
    isSecret: false,
    schema: wholeNumber(0, 1000),
    fallback: "2",
    description: "Most devices of a student that play films at once; the newest wins. `0` is no limit.",
  },
  watermark: {
    name: "WATERMARK",
    isSecret: false,
    schema: onOff(),
    fallback: "off",
    description: "`on` displays the student's e-mail address over the film, as a faint moving text.",
  },
} satisfies Record<string, Setting>;
