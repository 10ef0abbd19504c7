import { changeObject, duplicate, fingerprint, hash, object1, object2, unfinishedUpload } from "./rows.ts";
import type { Refusal } from "./parts.ts";

/** What the database refuses of stored files, uploads and screenshots: what must not be, the statement that tries, the constraint. */
export const fileRefusals: Refusal[] = [
  ["an unknown bucket", "update stored_objects set bucket = 'misc'", "stored_objects_bucket_check"],
  ["an empty file", "update stored_objects set size = 0", "stored_objects_size_check"],
  [
    "two files of one name in a bucket",
    `update stored_objects set name = 'one' where id = ${object2}`,
    "stored_objects_bucket_name_key",
  ],
  ["an object that is replaced at no time", changeObject(`replaced_by = ${object2}`), "stored_objects_replaced"],
  [
    "an object that replaces two",
    `update stored_objects set replaced_by = ${object2}, replaced_at = now() where id <> ${object2}`,
    "stored_objects_replaced_by_key",
  ],
  ["an unfinished upload to no bucket", unfinishedUpload("'films'", 1), "unfinished_uploads_bucket_check"],
  ["an unfinished upload of nothing", unfinishedUpload("'course-videos'", 0), "unfinished_uploads_size_check"],
  ["a fingerprint of half a hash", fingerprint("sha256", "'abc'"), "screenshot_fingerprints_sha256_check"],
  [
    "a picture of another size",
    fingerprint("sha256, picture, edges, bands", `${hash}, 'abc', 0::bit(36480), '{1}'`),
    "screenshot_fingerprints_picture_check",
  ],
  [
    "a picture without what finds it",
    fingerprint("sha256, picture", `${hash}, convert_to(repeat('x', 18432), 'UTF8')`),
    "screenshot_fingerprints_whole_picture",
  ],
  ["a screenshot that duplicates itself", duplicate(object1, "same_file"), "duplicate_screenshots_check"],
  ["an unknown kind of duplicate", duplicate(object2, "similar"), "duplicate_screenshots_kind_check"],
];
