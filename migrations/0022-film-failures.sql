-- FILE-12: what counts before a film is left as it is. Attempts that waited for room on the disk, or were stopped, are no failures.
alter table films add column failures integer not null default 0;
