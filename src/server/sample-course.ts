import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { eq } from "drizzle-orm";
import * as z from "zod";
import { languageName } from "#domain/materials/language";
import { decimal } from "#domain/money";
import type { BucketName } from "#domain/files/buckets";
import { videoPackageTypes } from "#domain/video-access";
import { sampleWalletSettings } from "#domain/payment-methods/sample";
import { changedDestinations, defaultWalletSettings, priceNames, type PriceName } from "#domain/payment-methods/settings";
import { seedActor } from "./features/overview/sample-queries.ts";
import * as moduleQueries from "./features/videos/modules/queries.ts";
import { filmName } from "./features/videos/bucket.ts";
import { attachmentBucket } from "./features/videos/materials/buckets.ts";
import { captionsName } from "./features/videos/materials/captions.ts";
import { posterName } from "./features/videos/materials/poster.ts";
import * as materialQueries from "./features/videos/materials/queries.ts";
import * as videoQueries from "./features/videos/queries.ts";
import * as walletQueries from "./features/wallet-settings/queries.ts";
import { recordAudit, type Actor } from "./platform/audit.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database, Transaction } from "./platform/db/database.ts";
import { lockKeys, tryLock } from "./platform/db/locks.ts";
import { allowIdle, transaction } from "./platform/db/transaction.ts";
import { accounts, videos } from "./platform/db/schema.ts";
import type { UploadBucket } from "./platform/storage/bucket.ts";
import type { ObjectStore } from "./platform/storage/object-store.ts";
import { insertObject } from "./platform/storage/queries.ts";
import { typeOf } from "./platform/storage/uploads/type-check.ts";
import { addSampleLiveSessions } from "./sample-live-sessions.ts";

const Course = z.object({
  lessons: z.array(
    z.object({
      module: z.string(),
      order_index: z.int(),
      title: z.string(),
      description: z.string(),
      package_type: z.enum(videoPackageTypes),
      video: z.string().regex(/^[a-z0-9-]+\.mp4$/),
      /** Languages; the files are named for the video. */
      captions: z.optional(z.array(z.string())),
      attachments: z.optional(z.array(z.string().regex(/^[a-z0-9-]+\.csv$/))),
    }),
  ),
});
type Lesson = z.infer<typeof Course>["lessons"][number];

export interface SampleCourseParts {
  db: Database;
  clock: Clock;
  objects: ObjectStore;
  bucket: UploadBucket;
  /** The folder with `course.json`, `videos`, `posters`, `captions` and `attachments`. */
  samplesDir: string;
}

export interface SampleCourseResult {
  added: number;
  alreadyThere: number;
  liveSessionsAdded: number;
  /** False when somebody has changed the wallet settings. */
  walletSet: boolean;
}

const actor: Actor = { id: null, email: seedActor, ip: "" };

const maxFileSeconds = 120;

/**
 * Adds the missing sample lessons, identified by module and title, with their films as uploads of the admin, two weekly live sessions,
 * and sample wallet settings if there are none. Adds all or nothing: films without a row are removed by the sweep.
 */
export async function addSampleCourse(parts: SampleCourseParts): Promise<SampleCourseResult> {
  const { lessons } = Course.parse(JSON.parse(await readFile(join(parts.samplesDir, "course.json"), "utf8")));
  return transaction(parts.db, async (tx) => {
    // The store may take long for a file, and another run for all of them.
    await allowIdle(tx, maxFileSeconds);
    while (!(await tryLock(tx, lockKeys.seed))) await pause(200);
    const missing = await missingFrom(tx, lessons);
    const ownerId = await adminId(tx);
    for (const lesson of missing) await addLesson(parts, tx, lesson, ownerId);
    await orderModules(parts, tx, lessons);
    const liveSessionsAdded = await addSampleLiveSessions(tx, actor, parts.clock.now());
    const walletSet = await setSampleWallet(parts, tx);
    return { added: missing.length, alreadyThere: lessons.length - missing.length, liveSessionsAdded, walletSet };
  });
}

async function missingFrom(tx: Transaction, lessons: Lesson[]): Promise<Lesson[]> {
  const rows = await tx.select({ module: videos.module, title: videos.title }).from(videos);
  const known = new Set(rows.map(nameOf));
  return lessons.filter((lesson) => !known.has(nameOf(lesson)));
}

const nameOf = ({ module, title }: { module: string; title: string }): string => JSON.stringify([module, title]);

/** Orders modules as the file does, unless an order is set (PATH-1). */
async function orderModules({ clock }: SampleCourseParts, tx: Transaction, lessons: Lesson[]): Promise<void> {
  await moduleQueries.lockCourse(tx);
  if ((await moduleQueries.findModuleOrder(tx)).length > 0) return;
  const modules = [...new Set(lessons.map(({ module }) => module))];
  await moduleQueries.replaceModuleOrder(tx, modules);
  const subject = { type: "course", id: "modules" };
  await recordAudit(tx, actor, { at: clock.now(), action: "modules.order", subject, details: { before: [], after: modules } });
}

/** Returns the admin's account, or null before the first start makes it. */
async function adminId(tx: Transaction): Promise<string | null> {
  const [row] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.role, "admin"));
  return row?.id ?? null;
}

async function addLesson(
  parts: SampleCourseParts,
  tx: Transaction,
  { video, captions = [], attachments = [], ...lesson }: Lesson,
  ownerId: string | null,
): Promise<void> {
  const { bucket, clock } = parts;
  const name = video.replace(/\.mp4$/, "");
  const store = (file: SampleFile): Promise<string> => storeFile(parts, tx, file, ownerId);
  const object_id = await store({
    path: `videos/${video}`,
    bucket: "course-videos",
    storedName: (id) => filmName(id, video, "video/mp4"),
    typeOf: (bytes) => typeOf(bucket, bytes, video),
  });
  const poster_object_id = await store({
    path: `posters/${name}.webp`,
    bucket: "lesson-posters",
    storedName: posterName,
    typeOf: () => "image/webp",
  });
  const now = clock.now();
  const row = await videoQueries.insertVideo(tx, { ...lesson, object_id, poster_object_id, created_at: now });
  for (const language of captions) {
    const path = `captions/${name}.${language}.vtt`;
    const object = await store({ path, bucket: "lesson-captions", storedName: captionsName, typeOf: () => "text/vtt" });
    const label = languageName(language);
    await materialQueries.upsertCaptions(tx, { video_id: row.id, language, label, object_id: object });
  }
  for (const filename of attachments) {
    const object = await store({
      path: `attachments/${filename}`,
      bucket: "lesson-attachments",
      storedName: (id) => id,
      typeOf: (bytes) => typeOf(attachmentBucket, bytes, filename),
    });
    await materialQueries.insertAttachment(tx, { video_id: row.id, object_id: object, created_at: now });
  }
  await recordAudit(tx, actor, {
    at: now,
    action: "video.create",
    subject: { type: "video", id: row.id },
    details: { title: lesson.title, after: { ...lesson, object_id } },
  });
}

interface SampleFile {
  /** Below the folder of the samples. */
  path: string;
  bucket: BucketName;
  /** Returns the stored name of the object with an id. */
  storedName: (id: string) => string;
  typeOf: (bytes: Buffer) => string;
}

/** Stores a file like an upload: first the bytes, synced to disk, then the row. Returns the object's id. */
async function storeFile(
  { objects, clock, samplesDir }: SampleCourseParts,
  tx: Transaction,
  { path, bucket, storedName, typeOf: contentTypeOf }: SampleFile,
  ownerId: string | null,
): Promise<string> {
  const id = randomUUID();
  const bytes = await readFile(join(samplesDir, path));
  await objects.put(id, bytes);
  await insertObject(tx, {
    id,
    bucket,
    name: storedName(id),
    filename: basename(path),
    owner_id: ownerId,
    content_type: contentTypeOf(bytes),
    size: bytes.length,
    created_at: clock.now(),
  });
  return id;
}

async function setSampleWallet({ clock }: SampleCourseParts, tx: Transaction): Promise<boolean> {
  const before = await walletQueries.lockSettings(tx);
  if (before && !isUntouched(before)) return false;
  const now = clock.now();
  await walletQueries.upsertSettings(tx, { ...sampleWalletSettings, is_sample: true, updated_at: now });
  await recordAudit(tx, actor, {
    at: now,
    action: "wallet-settings.save",
    subject: { type: "wallet-settings", id: "1" },
    details: { after: sampleWalletSettings, is_sample: true },
  });
  return true;
}

function isUntouched(row: walletQueries.WalletSettingsRow): boolean {
  const isInitialPrice = (name: PriceName): boolean => decimal(row[name]).eq(defaultWalletSettings[name]);
  return changedDestinations(defaultWalletSettings, row).length === 0 && priceNames.every(isInitialPrice);
}
