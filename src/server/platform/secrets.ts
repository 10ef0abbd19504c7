import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from "jose";
import * as z from "zod";

const StoredSecrets = z.object({
  signing_key: z.looseObject({ kid: z.string(), kty: z.string() }),
  code_pepper: z.string(),
  link_key: z.string(),
  mail_key: z.string(),
});

export interface Secrets {
  /** ES256 pair that signs access tokens (RFC 7518, section 3.4). */
  signingKey: CryptoKey;
  publicJwk: JWK & { kid: string };
  /** Keys the hash of verification codes. */
  codePepper: Buffer;
  /** Signs links to stored objects. */
  linkKey: Buffer;
  /** Seals mails in the outbox (AES-256-GCM). */
  mailKey: Buffer;
}

/** Reads the secrets of a data folder, making them at the first start: one file, mode 0600, whole or not at all. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const path = join(dataDir, "secrets.json");
  const text = (await readIfThere(path)) ?? (await create(path));
  const stored = StoredSecrets.parse(JSON.parse(text));
  const { d: _private, ...publicJwk } = stored.signing_key;
  return {
    signingKey: (await importJWK(stored.signing_key, "ES256")) as CryptoKey,
    publicJwk: { ...publicJwk, alg: "ES256", use: "sig" },
    codePepper: Buffer.from(stored.code_pepper, "base64url"),
    linkKey: Buffer.from(stored.link_key, "base64url"),
    mailKey: Buffer.from(stored.mail_key, "base64url"),
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function create(path: string): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = () => randomBytes(32).toString("base64url");
  const text = JSON.stringify({
    signing_key: { ...(await exportJWK(privateKey)), kid: randomUUID() },
    code_pepper: key(),
    link_key: key(),
    mail_key: key(),
  });
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, "wx", 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
  // link() refuses an existing name, so of two processes that start at once both use the same secrets.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await unlink(draft);
  return readFile(path, "utf8");
}
