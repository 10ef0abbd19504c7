/** 5 GB, the highest limit of a bucket: the operator sets those of screenshots and videos up to it (FILE-1). */
export const maxUploadBytes = 5 * 1024 ** 3;

/** The buckets that browsers upload to. */
export const uploadBuckets = ["payment-screenshots", "course-videos", "lesson-attachments"] as const;
export type UploadBucketName = (typeof uploadBuckets)[number];

/** Of the others, the server makes the files itself: captions and posters. */
export const buckets = [...uploadBuckets, "lesson-captions", "lesson-posters"] as const;
export type BucketName = (typeof buckets)[number];
