import { afterAll, describe, it } from "vitest";
import { hasS3Server, startS3Server, type S3Server } from "../support/s3/server.ts";
import { startTcpProxy, type TcpProxy } from "../support/network/tcp-proxy.ts";
import { isLong } from "./form.ts";
import { siteUnderTraffic } from "./running-site.ts";

// In the long form: an S3 server takes its time.
describe.runIf(hasS3Server && isLong)("with files in a bucket", () => {
  let server: S3Server;
  let line: TcpProxy;
  // Registered first, so that it runs after the site has ended.
  afterAll(async () => {
    await line?.close();
    await server?.close();
  });
  const { survives } = siteUnderTraffic({
    async environment() {
      server = await startS3Server();
      line = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(server.settings.endpoint).port) });
      return {
        S3_ENDPOINT: `http://127.0.0.1:${line.port}`,
        S3_REGION: server.settings.region,
        S3_BUCKET: server.settings.bucket,
        S3_ACCESS_KEY_ID: server.settings.accessKeyId,
        S3_SECRET_ACCESS_KEY: server.settings.secretAccessKey,
        S3_PATH_STYLE: "on",
      };
    },
    traffic: { students: 1 },
  });

  it("survives a store that is away", () =>
    survives({
      name: "S3 store away",
      lastsMs: 15_000,
      unready: /"part":"storage"/,
      async begin() {
        await line.refuse();
        return () => line.restore();
      },
    }));

  it("survives a store that stands still", () =>
    survives({
      name: "S3 store frozen (SIGSTOP)",
      lastsMs: 15_000,
      async begin() {
        server.pause();
        return () => server.resume();
      },
    }));
});
