-- Why a mail waits, when it was tried, until when it is worth sending, and when it was given up.
alter table mail_outbox
  add column expires_at timestamptz,
  add column attempted_at timestamptz,
  add column failure_kind text check (failure_kind in ('server', 'mail', 'stalled')),
  add column failed_at timestamptz;
create index mail_outbox_failed on mail_outbox (failed_at desc, id desc) where failed_at is not null;

-- What the retention job looks for.
create index mail_outbox_done on mail_outbox (created_at) where next_attempt_at is null;
create index verification_codes_expired on verification_codes (expires_at);
create index password_recoveries_expired on password_recoveries (expires_at);
create index sessions_oldest on sessions (created_at);
create index sessions_ended on sessions (revoked_at) where revoked_at is not null;
create index accounts_unfinished on accounts (created_at) where email_verified_at is null;
create index rate_limits_expired on rate_limits (expire);
