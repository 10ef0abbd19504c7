import { randomUUID } from "node:crypto";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { openClient } from "#server/platform/storage/s3/s3-client";
import { fixedPort } from "../../network/fixed-port.ts";
import { startNginx } from "../../network/nginx.ts";
import { mailboxAt, prepareProcess, type Ending, type Site } from "../one-process.ts";
import { copyDatabase, dropDatabase, type SharedParts } from "./shared-parts.ts";

/** Two processes of the product behind nginx, which look like one site. */
export interface Pair extends Site {
  processes: readonly [Site, Site];
}

/**
 * A pair that is not started yet, on a database of its own. With a bucket, each has a data folder of its own with a copy of the secrets, as on two
 * machines; else they share one.
 */
export async function preparePair(parts: SharedParts, environment: Record<string, string> = {}): Promise<Pair> {
  const name = `pair-${randomUUID()}`;
  const database = name.replaceAll("-", "_");
  const port = await fixedPort();
  const url = `http://localhost:${port}`;
  const shared = { DATABASE_URL: await copyDatabase(parts, database), ...(await bucketFor(parts, name)) };
  const folder = await copyFolder(parts);
  const folders = [folder, parts.s3 === undefined ? folder : await copyFolder(parts)];
  const proxied = { HOST: "127.0.0.1", TRUST_PROXY: "on", PUBLIC_URL: url };
  const [first, second] = await Promise.all(
    folders.map((DATA_DIR) => prepareProcess(environment, "made", { ...shared, ...proxied, DATA_DIR })),
  );
  const processes = [first!, second!] as const;
  const nginx = await startNginx(
    port,
    processes.map((one) => Number(new URL(one.url).port)),
  );
  const both = <Result>(act: (one: Site) => Promise<Result>): Promise<Result[]> => Promise.all(processes.map(act));
  const end = async (): Promise<Ending> => (await both((one) => one.end()))[0]!;
  return {
    ...processes[0],
    ...mailboxAt(url),
    processes,
    url,
    environment: shared,
    get lines() {
      return processes.flatMap(({ lines }) => lines);
    },
    kill: async () => void (await both((one) => one.kill())),
    start: async () => void (await both((one) => one.start())),
    launch: () => processes.forEach((one) => one.launch()),
    end,
    async stop() {
      await both((one) => one.stop());
      await nginx.close();
      await dropDatabase(parts, database);
    },
  };
}

/** The settings of a new bucket, since a bucket is one site's. */
async function bucketFor({ s3 }: SharedParts, bucket: string): Promise<Record<string, string>> {
  if (s3 === undefined) return {};
  const client = openClient({ ...s3, bucket });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return {
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_PATH_STYLE: s3.pathStyle ? "on" : "off",
  };
}

/** A data folder with the secrets of the first database. */
async function copyFolder({ dataDir }: SharedParts): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pipwright-site-"));
  await cp(join(dataDir, "secrets.json"), join(folder, "secrets.json"));
  return folder;
}
