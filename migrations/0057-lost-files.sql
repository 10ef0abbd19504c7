-- BACKUP-5: how many stored files a backup lacks; null where nobody reported it.
alter table backup_runs add column lost_files integer;
