import { join } from "node:path";
import { currentUser, type DbAccount } from "../os/accounts.ts";
import { writeFileAtomically } from "../os/disk.ts";

/** The superuser that initdb makes, for the supervisor alone. */
export const SUPERUSER = "pipwright";

/** The role of the application, which owns its tables but the audit log and has no other rights. */
export const SITE_ROLE = "pipwright_site";

/** The map from system users to roles. The kernel identifies the socket's peer, so there is no password. */
const MAP = "pipwright";

/** The rules of pg_hba.conf. */
export const HBA = `# Written at every start.
local all         ${SUPERUSER},${SITE_ROLE} peer map=${MAP}
local replication ${SUPERUSER} peer map=${MAP}
`;

/**
 * Writes pg_hba.conf and pg_ident.conf: root, the current user and the database's account may connect, by the socket only. Each of
 * them could as well read and change the cluster's files, so the superuser is open to them too.
 */
export async function writeAccessFiles(clusterDir: string, account: DbAccount): Promise<void> {
  const names = new Set(["root", currentUser().name, account.name]);
  const roles = [SUPERUSER, SITE_ROLE];
  const ident = [...names].flatMap((name) => roles.map((role) => `${MAP} "${name}" ${role}\n`)).join("");
  await writeFileAtomically(join(clusterDir, "pg_hba.conf"), HBA, account);
  await writeFileAtomically(join(clusterDir, "pg_ident.conf"), `# Written at every start.\n${ident}`, account);
}
