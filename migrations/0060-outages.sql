-- SLIP-2: what counts before a slip is left as unreadable. Attempts during which the store or the disk was away are no failures.
alter table transfer_slips add column failures integer not null default 0;
