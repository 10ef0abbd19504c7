import type { FastifyInstance } from "fastify";
import type { Dependencies } from "../../dependencies.ts";
import type { Authenticate } from "../http/access.ts";
import { registerDownloads } from "./downloads/download.ts";
import { registerFormUpload, type FormBucket } from "./uploads/form-upload.ts";
import type { Bucket, UploadBucket } from "./bucket.ts";
import { sweep, type SweepParts } from "./sweep.ts";
import { watchTransfers } from "./transfers.ts";
import { registerTus } from "./tus/tus.ts";
import { TusStore } from "./tus/tus-store.ts";
import type { UploadLocks } from "./locks/upload-locks.ts";

const sweepEveryMs = 3_600_000;

/** Uploads, signed downloads and the hourly sweep, for the buckets of the features. */
export function registerStorageRoutes(
  app: FastifyInstance,
  deps: Dependencies,
  authenticate: Authenticate,
  buckets: readonly (Bucket | UploadBucket)[],
): void {
  const { db, clock, objects } = deps;
  const byName = new Map(buckets.map((bucket) => [bucket.name, bucket]));
  const uploadBuckets = new Map(buckets.filter(takesUploads).map((bucket) => [bucket.name, bucket]));
  const store = new TusStore(deps, uploadBuckets);

  void app.register(async (scope) => {
    leaveBodiesAlone(scope);
    watchTransfers(scope);
    registerTus(scope, deps, authenticate, uploadBuckets, store);
    registerDownloads(scope, deps, byName);
    for (const bucket of uploadBuckets.values()) {
      if (takesForms(bucket)) await scope.register((inner) => registerFormUpload(inner, deps, authenticate, bucket));
    }
  });
  sweepHourly(app, { db, clock, objects, buckets, locks: store.locks });
}

/** Bodies here go to disk piece by piece, so Fastify must not gather them, whatever type they claim. */
function leaveBodiesAlone(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _body, done) => done(null));
}

function takesUploads(bucket: Bucket | UploadBucket): bucket is UploadBucket {
  return "checkUploader" in bucket;
}

function takesForms(bucket: UploadBucket): bucket is FormBucket {
  return bucket.missingFile !== undefined;
}

/** At the start and every hour; a failure is logged and the next hour tries again. Ends the locks after the last sweep. */
function sweepHourly(
  app: FastifyInstance,
  parts: SweepParts & { locks: Pick<UploadLocks<unknown>, "ifFree" | "close"> },
): void {
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = running.then(() => sweep(parts)).catch((error: unknown) => app.log.error(error, "The storage sweep failed"));
  };
  const timer = setInterval(run, sweepEveryMs).unref();
  app.addHook("onListen", (done) => {
    run();
    done();
  });
  app.addHook("onClose", async () => {
    clearInterval(timer);
    await running;
    await parts.locks.close();
  });
}
