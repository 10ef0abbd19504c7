import type { Refusal } from "./parts.ts";

const backupRun = (outcome: string): string =>
  `insert into backup_runs (path, started_at, lease_until, ended_at, size, problem) values ('/b.tar', now(), ${outcome})`;

/** What the database refuses of backups and of the site's secrets: what must not be, the statement that tries, the constraint. */
export const operatorRefusals: Refusal[] = [
  [
    "a second backup at once",
    `${backupRun("now(), null, null, null")}; ${backupRun("now(), null, null, null")}`,
    "backup_runs_one_running",
  ],
  ["a backup that runs without a lease", backupRun("null, null, null, null"), "backup_runs_lease"],
  ["a backup that is good and failed", backupRun("null, now(), 1, 'No space left'"), "backup_runs_outcome"],
  [
    "the secrets of a second site",
    "insert into secrets_fingerprint (id, fingerprint) values (2, '')",
    "secrets_fingerprint_id_check",
  ],
];
