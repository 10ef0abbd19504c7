import { join } from "node:path";
import type { DbAccount } from "./account.ts";
import { versionIn, type PostgresBinaries } from "./binaries.ts";
import { DatabaseStartError } from "./errors.ts";
import { copyInstallation } from "./installation-copy.ts";
import { run } from "./run.ts";

/** Binaries that were seen to run as the account. */
export interface UsableBinaries {
  bin: string;
  /** As `postgres --version` tells it: "18.4". */
  version: string;
}

// initdb puts its own path between double quotes in a shell command, and quotes nothing inside.
const BREAKS_INITDB = /["$`\\\n]/;

/** The binaries, or a copy of them in `machineDir` when the account cannot reach them or their path cannot work. */
export async function usableBinaries(
  binaries: PostgresBinaries,
  account: DbAccount,
  machineDir: string,
  say: (line: string) => void,
): Promise<UsableBinaries> {
  const version = await askVersion(binaries.bin, account);
  if (version.ok && !BREAKS_INITDB.test(binaries.bin)) return { bin: binaries.bin, version: version.text };
  const asOurselves = await askVersion(binaries.bin);
  if (!asOurselves.ok || !binaries.portableRoot) {
    throw new DatabaseStartError(`PostgreSQL does not run here: ${version.text}; DATABASE_URL can name another one`);
  }
  const copy = join(machineDir, binaries.release);
  await copyInstallation(binaries.portableRoot, copy);
  const copied = await askVersion(join(copy, "bin"), account);
  if (!copied.ok || BREAKS_INITDB.test(copy)) {
    throw new DatabaseStartError(`PostgreSQL does not run from ${copy} as ${account.name}: ${copied.text}`);
  }
  say(`PostgreSQL runs from ${copy}: the account ${account.name} cannot use ${binaries.bin}`);
  return { bin: join(copy, "bin"), version: copied.text };
}

async function askVersion(bin: string, account?: DbAccount): Promise<{ ok: boolean; text: string }> {
  const { ok, out, complaint } = await run(join(bin, "postgres"), ["--version"], account);
  return { ok, text: ok ? versionIn(out) : complaint };
}
