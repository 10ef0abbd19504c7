/**
 * Every key of a PostgreSQL advisory lock, in one place so that no two rules share one. They are the same in every process and
 * every version: two versions may run on one database during an update.
 */
export const lockKeys = {
  /** Processes that start at once migrate one after another. */
  migration: 4_971_997,
  /** Screenshots that are stored at once find each other. */
  screenshotComparison: 4_971_998,
  /** Stored objects are deleted one at a time. */
  objectDeletion: 4_971_999,
  /** Two runs of `npm run seed` take turns. */
  seed: 4_972_000,
  /** The admin's account is made once. */
  adminRole: 4_972_001,
  /** One process at a time deletes what is no longer needed. */
  retention: 4_972_002,
} as const;

/** First keys of locks on one thing each; the second is a hash of its id. PostgreSQL keeps them apart from the keys above. */
export const lockSpaces = {
  /** One request at a time on an upload. */
  upload: 1,
  /** New uploads of one account are counted one after another. */
  newUpload: 2,
  /** Sign-ups for one address take turns. */
  emailAddress: 3,
} as const;

/** Both keys of the lock that says which process owns the data folder: "pipw" and "right" as numbers. */
export const dataFolderLock = [0x70697077, 0x72676874];
