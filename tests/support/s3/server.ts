import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { openClient, type S3Settings } from "#server/platform/storage/s3/s3-client";

/** Debian's, whatever else is called python3 here: its packages are not for others. */
const python = "/usr/bin/python3";

/** Whether the S3 server of the tests is installed, as `npm test` does (Debian: apt-get install swift swift-proxy …). */
export const hasS3Server =
  spawnSync(python, ["-c", "import swift.account, swift.container, swift.obj, swift.proxy"]).status === 0;

export interface S3Server {
  settings: S3Settings;
  /** The same for a site's environment. */
  environment: Record<string, string>;
  /** Stops to answer, without closing a connection, and goes on. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Starts an S3 server that checks signatures, with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), "pipwright-s3-"));
  const server = spawn(python, [join(import.meta.dirname, "serve-s3.py"), folder], { stdio: ["pipe", "pipe", "ignore"] });
  const [port] = (await once(createInterface(server.stdout), "line")) as [string];
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    bucket: "course-files",
    accessKeyId: "test:tester",
    secretAccessKey: "testing",
    pathStyle: true,
  };
  const client = openClient(settings);
  await client.send(new CreateBucketCommand({ Bucket: settings.bucket }));
  client.destroy();
  const environment = {
    S3_ENDPOINT: settings.endpoint,
    S3_REGION: settings.region,
    S3_BUCKET: settings.bucket,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
  return {
    settings,
    environment,
    pause: () => void server.kill("SIGSTOP"),
    resume: () => void server.kill("SIGCONT"),
    async close() {
      server.kill("SIGKILL");
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
