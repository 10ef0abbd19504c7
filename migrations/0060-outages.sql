-- SLIP-2: what counts before a slip is left as unreadable. Attempts during which the store or the disk was away are no failures.
alter table transfer_slips add column failures integer not null default 0;

-- BACKUP-4: a run keeps why it failed while its place cannot be asked whether its backup is there all the same.
alter table backup_runs drop constraint backup_runs_outcome,
  add constraint backup_runs_outcome check (case when ended_at is null then size is null else num_nonnulls(size, problem) = 1 end);
