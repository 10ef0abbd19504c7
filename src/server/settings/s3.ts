import { address, bucketName, onOff, regionName, secret } from "./schemas.ts";
import type { Setting } from "./setting.ts";

/** The settings of a bucket, which `readConfig` wants together or not at all. */
export const s3 = {
  endpoint: {
    name: "S3_ENDPOINT",
    isSecret: true,
    schema: address("http", "https"),
    example: "https://s3.eu-central-1.amazonaws.com",
    description:
      "An S3-compatible store that has the files instead of DATA_DIR. Set with the next four, or not at all; without S3_BUCKET for backups alone.",
  },
  region: {
    name: "S3_REGION",
    isSecret: false,
    schema: regionName(),
    example: "eu-central-1",
    description: "Its region; `us-east-1` where the store has none.",
  },
  bucket: {
    name: "S3_BUCKET",
    isSecret: false,
    schema: bucketName(),
    example: "course-files",
    description: "A bucket for this site alone, private and without versions.",
  },
  accessKeyId: {
    name: "S3_ACCESS_KEY_ID",
    isSecret: true,
    schema: secret(),
    example: "",
    description: "Key that may read, write, list and delete in the bucket.",
  },
  secretAccessKey: {
    name: "S3_SECRET_ACCESS_KEY",
    isSecret: true,
    schema: secret(),
    example: "",
    description: "The secret of this key.",
  },
  pathStyle: {
    name: "S3_PATH_STYLE",
    isSecret: false,
    schema: onOff(),
    fallback: "on",
    description: "`off` where the bucket's name must stand in the host instead of the path.",
  },
} satisfies Record<string, Setting>;
