import { sql } from "drizzle-orm";
import type { Connection, Transaction } from "./database.ts";

/**
 * All keys of advisory locks, in one place so that no two uses share one. They are the same in every process and version, since two
 * versions may run on one database during an update.
 */
export const lockKeys = {
  /** One process at a time migrates. */
  migration: 4_971_997,
  /** One screenshot at a time is compared with the others and stored. */
  screenshotComparison: 4_971_998,
  /** One process at a time deletes stored objects. */
  objectDeletion: 4_971_999,
  /** One run of `npm run seed` at a time. */
  seed: 4_972_000,
  /** One process at a time makes the admin's account. */
  adminRole: 4_972_001,
  /** One process at a time deletes what is no longer needed. */
  retention: 4_972_002,
  /** One process at a time reminds of live sessions. */
  liveReminders: 4_972_004,
  /** One lookup at a time decides which transaction counts for its request. */
  chainPayments: 4_972_005,
  /** One process at a time picks unused addresses that the chain is asked about. */
  addressReuse: 4_972_006,
  /** One process at a time checks which payment requests are flagged. */
  flags: 4_972_007,
  /** One process at a time adds changes to the totals. */
  totals: 4_972_008,
  /** One backup at a time is written, and no stored file removed meanwhile. */
  backup: 4_972_009,
  /** One run of `npm run move-files` at a time. */
  fileMove: 4_972_010,
  /** One payment request at a time is approved. */
  approval: 4_972_011,
  /** Shared by the sites that run on the database; `npm run secrets:renew` takes it alone. */
  runningSite: 4_972_003,
} as const;

/** First keys of two-key locks; the second is a hash of an id. PostgreSQL keeps them apart from the keys above. */
export const lockSpaces = {
  /** One request at a time on an upload. */
  upload: 1,
  /** One new upload at a time for each account, so that its limit holds. */
  newUpload: 2,
  /** One sign-up at a time for each address. */
  emailAddress: 3,
} as const;

type LockKey = (typeof lockKeys)[keyof typeof lockKeys];
type LockSpace = (typeof lockSpaces)[keyof typeof lockSpaces];

/** Takes a lock until the transaction ends, and waits for it where another transaction has it. */
export async function lock(tx: Transaction, key: LockKey): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${key})`);
}

/** Takes a lock until the transaction ends, unless another one has it. Returns whether it was taken. */
export async function tryLock(connection: Connection, key: LockKey): Promise<boolean> {
  const { rows } = await connection.execute<{ locked: boolean }>(sql`select pg_try_advisory_xact_lock(${key}) as locked`);
  return rows[0]!.locked;
}

/** Takes the lock of an id in a space until the transaction ends, and waits for it where another transaction has it. */
export async function lockInSpace(tx: Transaction, space: LockSpace, id: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${space}, hashtext(${id}))`);
}

/*
 * The order in which every transaction locks rows, so that no two wait for each other: the address (`lockSpaces.emailAddress`), the
 * account, its profile, its sessions, then what belongs to them (refresh tokens, second factors and challenges, changes of address,
 * recovery links, codes, networks). What is left out is skipped, never taken later. Whoever locks several sessions, or inserts a row
 * that refers to the account after another lock, locks the account first: a foreign key locks it too.
 */

/** Both keys of the lock of the process that owns the data folder: "pipw" and "right" as numbers. */
// Stryker disable next-line ArrayDeclaration: only two processes at one data folder notice, which tests of the start have.
export const dataFolderLock = [0x70697077, 0x72676874];
