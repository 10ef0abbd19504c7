import { join } from "node:path";
import { DatabaseStartError } from "../errors.ts";
import type { DbAccount } from "../os/accounts.ts";
import { run } from "../os/run-program.ts";
import { copyInstallation } from "./copy-installation.ts";
import { versionIn, type PostgresBinaries } from "./find-binaries.ts";

/** Binaries that were run as the account. */
export interface UsableBinaries {
  bin: string;
  /** From `postgres --version`, such as "18.4". */
  version: string;
}

// initdb puts its own path into double quotes in a shell command without escaping these characters.
const BREAKS_INITDB = /["$`\\\n]/;

/**
 * Returns the binaries, or a copy of them in `machineDir` when the account cannot run them or initdb cannot quote their path.
 * Throws `DatabaseStartError` when neither runs.
 */
export async function ensureUsableBinaries(
  binaries: PostgresBinaries,
  account: DbAccount,
  machineDir: string,
  say: (line: string) => void,
): Promise<UsableBinaries> {
  const version = await readVersion(binaries.bin, account);
  if (version.ok && !BREAKS_INITDB.test(binaries.bin)) return { bin: binaries.bin, version: version.text };
  const asOurselves = await readVersion(binaries.bin);
  if (!asOurselves.ok || !binaries.portableRoot) {
    throw new DatabaseStartError(`PostgreSQL does not run here: ${version.text}; DATABASE_URL can name another one`);
  }
  const copy = join(machineDir, binaries.release);
  await copyInstallation(binaries.portableRoot, copy);
  const copied = await readVersion(join(copy, "bin"), account);
  if (!copied.ok || BREAKS_INITDB.test(copy)) {
    throw new DatabaseStartError(`PostgreSQL does not run from ${copy} as ${account.name}: ${copied.text}`);
  }
  say(`PostgreSQL runs from ${copy}: the account ${account.name} cannot use ${binaries.bin}`);
  return { bin: join(copy, "bin"), version: copied.text };
}

async function readVersion(bin: string, account?: DbAccount): Promise<{ ok: boolean; text: string }> {
  const { ok, out, error } = await run(join(bin, "postgres"), ["--version"], account);
  return { ok, text: ok ? versionIn(out) : error };
}
