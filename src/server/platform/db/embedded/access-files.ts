import { join } from "node:path";
import { currentUser, type DbAccount } from "./account.ts";
import { placeFile } from "./disk.ts";

/** The role, and the map of system users to it: the socket's peer is known to the kernel, so no password exists. */
export const ROLE = "pipwright";

const HBA = `# Written at every start.
local all         all peer map=${ROLE}
local replication all peer map=${ROLE}
`;

/** Lets root, the user who starts the product and the database's own account in, through the socket only. */
export async function writeAccessFiles(clusterDir: string, account: DbAccount): Promise<void> {
  const names = new Set(["root", currentUser().name, account.name]);
  const ident = [...names].map((name) => `${ROLE} "${name}" ${ROLE}\n`).join("");
  await placeFile(join(clusterDir, "pg_hba.conf"), HBA, account);
  await placeFile(join(clusterDir, "pg_ident.conf"), `# Written at every start.\n${ident}`, account);
}
