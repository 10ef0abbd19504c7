-- LIVESESSION-1: made by the admin's browser, so that a repeated request plans one session, and the SHA-256 of what it was first used for, since the
-- row may be changed before a retry. Null for callers that send no key, and for rows of earlier versions.
alter table live_sessions
  add column idempotency_key text constraint live_sessions_idempotency unique,
  add column idempotency_sha256 bytea;
