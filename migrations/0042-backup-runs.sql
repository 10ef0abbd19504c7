-- BACKUP-4: what the scheduled backups have written, and which of them failed since the last good one.
create table backup_runs (
  id bigint generated always as identity primary key,
  path text not null,
  started_at timestamptz not null,
  -- While the backup is being written: until when its process has it.
  lease_until timestamptz,
  ended_at timestamptz,
  -- Of a good one.
  size bigint,
  -- Of one that failed.
  problem text,
  constraint backup_runs_lease check ((lease_until is null) = (ended_at is not null)),
  constraint backup_runs_outcome check (num_nonnulls(size, problem) = case when ended_at is null then 0 else 1 end)
);
-- One at a time, over all processes.
create unique index backup_runs_one_running on backup_runs ((ended_at is null)) where ended_at is null;
