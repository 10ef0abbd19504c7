-- VIDEO-9, NEWS-1: the SHA-256 of what a key was first used for, since the row may be changed before a retry. Null for rows of earlier versions.
alter table videos add column idempotency_sha256 bytea;
alter table news add column idempotency_sha256 bytea;
