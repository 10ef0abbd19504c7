import { join } from "node:path";
import { currentUser, type DbAccount } from "../os/accounts.ts";
import { writeFileAtomically } from "../os/disk.ts";

/** The role, and the name of the map from system users to it. The kernel identifies the socket's peer, so there is no password. */
export const ROLE = "pipwright";

const HBA = `# Written at every start.
local all         all peer map=${ROLE}
local replication all peer map=${ROLE}
`;

/** Writes pg_hba.conf and pg_ident.conf: root, the current user and the database's account may connect, by the socket only. */
export async function writeAccessFiles(clusterDir: string, account: DbAccount): Promise<void> {
  const names = new Set(["root", currentUser().name, account.name]);
  const ident = [...names].map((name) => `${ROLE} "${name}" ${ROLE}\n`).join("");
  await writeFileAtomically(join(clusterDir, "pg_hba.conf"), HBA, account);
  await writeFileAtomically(join(clusterDir, "pg_ident.conf"), `# Written at every start.\n${ident}`, account);
}
