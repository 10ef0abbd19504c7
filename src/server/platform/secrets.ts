import { hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from "jose";
import * as z from "zod";
import type { Database } from "./db/database.ts";
import { nameDraft, syncToDisk } from "./db/embedded/os/disk.ts";
import { secretsFingerprint } from "./db/schema.ts";
import { operatorCommand } from "./operator-command.ts";

// 32 bytes.
const Key = z.base64url().length(43);

const StoredSecrets = z.object({
  signing_key: z.looseObject({ kid: z.string(), kty: z.string(), d: z.string() }),
  code_pepper: Key,
  link_key: Key,
  mail_key: Key,
});

export interface Secrets {
  /** ES256 pair that signs access tokens (RFC 7518, section 3.4). */
  signingKey: CryptoKey;
  publicJwk: JWK & { kid: string };
  /** Key for the hash of verification codes. */
  codePepper: Buffer;
  /** Key that signs links to stored objects. */
  linkKey: Buffer;
  /** Key that encrypts mails in the outbox (AES-256-GCM). */
  mailKey: Buffer;
  /** Key that encrypts the secrets of second factors (AES-256-GCM). */
  factorKey: Buffer;
  /** Key that signs unsubscribe links. */
  unsubscribeKey: Buffer;
  /** Key that signs links to students' calendars. */
  calendarKey: Buffer;
  /** The same for the same secrets, and reveals nothing of them. */
  fingerprint: Buffer;
}

/** `secrets.json` is missing or damaged; the message is one line for the operator. */
export class SecretsError extends Error {
  override name = "SecretsError";

  constructor(path: string, problem: string) {
    super(
      `${path} ${problem}. Sign-ins, links and unsent mails depend on it: restore it from the backup of this database, or copy it from another machine of the site. ` +
        `Without a backup, ${operatorCommand("secrets:renew")} makes it anew.`,
    );
  }
}

/**
 * Returns the secrets of a data folder. The first start makes them: one file with mode 0600, written atomically. Throws
 * `SecretsError` for a damaged file, and for a missing one when `hasData` returns that the database has been used.
 */
export async function loadSecrets(dataDir: string, hasData: () => Promise<boolean>): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const path = pathIn(dataDir);
  const text = await readIfThere(path);
  if (text !== undefined) return parse(path, text);
  if (await hasData()) throw new SecretsError(path, "is missing");
  return parse(path, await create(path));
}

/** Throws `SecretsError` unless a migrated database is used with these secrets; the first secrets that are asked about become the database's. */
export async function refuseOtherSecrets(db: Database, dataDir: string, { fingerprint }: Secrets): Promise<void> {
  await db.insert(secretsFingerprint).values({ fingerprint }).onConflictDoNothing();
  await refuseRenewedSecrets(db, dataDir, { fingerprint });
}

/** Throws `SecretsError` where a database is used with other secrets by now. Writes nothing, since a restoration may be under way. */
export async function refuseRenewedSecrets(
  db: Database,
  dataDir: string,
  { fingerprint }: Pick<Secrets, "fingerprint">,
): Promise<void> {
  const [row] = await db.select().from(secretsFingerprint);
  if (row !== undefined && !row.fingerprint.equals(fingerprint))
    throw new SecretsError(pathIn(dataDir), "is not the one that the database is used with");
}

/**
 * Makes the secrets of a data folder anew, and returns their fingerprint. What the old ones signed, hashed or sealed can no longer be used.
 */
export async function replaceSecrets(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const path = pathIn(dataDir);
  const text = await newSecrets();
  await writeDurably(path, text, rename);
  return fingerprintOfSecrets(text);
}

/** Returns whether a data folder has secrets, so that it is a site's. */
export async function hasSecrets(dataDir: string): Promise<boolean> {
  return (await readIfThere(pathIn(dataDir))) !== undefined;
}

/** Returns by what a database knows the secrets of a text. Throws `SecretsError` when they are damaged. */
export async function fingerprintOfSecrets(text: string): Promise<Buffer> {
  return (await parse("secrets.json", text)).fingerprint;
}

/** Returns the text of a data folder's secrets, for a backup. Throws `SecretsError` when they are missing or damaged. */
export async function readSecrets(dataDir: string): Promise<string> {
  const path = pathIn(dataDir);
  const text = await readIfThere(path);
  if (text === undefined) throw new SecretsError(path, "is missing");
  await parse(path, text);
  return text;
}

/** Stores the text of another folder's secrets, durable. Throws `SecretsError` when it is damaged, or when the folder has secrets. */
export async function storeSecrets(dataDir: string, text: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const path = pathIn(dataDir);
  await parse(path, text);
  if (await hasSecrets(dataDir)) throw new SecretsError(path, "is there already");
  await writeDurably(path, text, rename);
}

const pathIn = (dataDir: string): string => join(dataDir, "secrets.json");

async function parse(path: string, text: string): Promise<Secrets> {
  try {
    const stored = StoredSecrets.parse(JSON.parse(text));
    const { d: _private, ...publicJwk } = stored.signing_key;
    const codePepper = Buffer.from(stored.code_pepper, "base64url");
    const linkKey = Buffer.from(stored.link_key, "base64url");
    const mailKey = Buffer.from(stored.mail_key, "base64url");
    return {
      signingKey: (await importJWK(stored.signing_key, "ES256")) as CryptoKey,
      publicJwk: { ...publicJwk, alg: "ES256", use: "sig" },
      codePepper,
      linkKey,
      mailKey,
      // Derived (RFC 5869), so that the file of an older installation is enough.
      factorKey: Buffer.from(hkdfSync("sha256", codePepper, "", "second factor", 32)),
      unsubscribeKey: Buffer.from(hkdfSync("sha256", linkKey, "", "unsubscribe", 32)),
      calendarKey: Buffer.from(hkdfSync("sha256", linkKey, "", "calendar", 32)),
      fingerprint: Buffer.from(hkdfSync("sha256", Buffer.concat([codePepper, linkKey, mailKey]), "", "fingerprint", 16)),
    };
  } catch {
    // The parser's message quotes the file.
    throw new SecretsError(path, "is damaged");
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readWhole(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "EISDIR") throw new SecretsError(path, "is a folder");
    throw error;
  }
}

/** Waits a second while the file is empty: another process that starts may be about to name it (`nameDraft`). */
async function readWhole(path: string): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const text = await readFile(path, "utf8");
    if (text !== "" || tries === 50) return text;
    await pause(20);
  }
}

async function create(path: string): Promise<string> {
  await writeDurably(path, await newSecrets(), async (draft) => {
    try {
      await nameDraft(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      // Two processes that start at once use the same secrets, and either syncs their name when they are whole.
      await readWhole(path);
    }
  });
  return readFile(path, "utf8");
}

async function newSecrets(): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = () => randomBytes(32).toString("base64url");
  return JSON.stringify({
    signing_key: { ...(await exportJWK(privateKey)), kid: randomUUID() },
    code_pepper: key(),
    link_key: key(),
    mail_key: key(),
  });
}

/** Writes secrets to a file beside `path`, and lets `name` give it that name; both are durable then. */
async function writeDurably(path: string, text: string, name: (draft: string, path: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await name(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  // The file's own sync does not cover its name: a power loss must not leave a used database without its secrets.
  await syncToDisk(dirname(path));
}
