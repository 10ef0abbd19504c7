// @ts-check
// A bucket for a bench: the S3 server of the tests.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";

const python = "/usr/bin/python3";
const bucket = "course-files";
const region = "us-east-1";

/**
 * Starts an S3 server with an empty bucket. Returns the site's settings for it; undefined where Debian's swift is not installed.
 * @param {string} folder where it keeps the files
 */
export async function startBucket(folder) {
  if (spawnSync(python, ["-c", "import swift.proxy"]).status !== 0) return undefined;
  const home = join(folder, "s3");
  mkdirSync(home);
  const program = join(import.meta.dirname, "../../tests/support/s3/serve-s3.py");
  const child = spawn(python, [program, home], { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const stop = async () => {
    if (child.exitCode === null && child.kill()) await ended;
  };
  const [port] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(() => {
      throw new Error("The S3 server ended.");
    }),
  ]);
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: "test:tester", secretAccessKey: "testing" };
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return {
    settings: {
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    stop,
  };
}
