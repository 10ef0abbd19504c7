-- ADMIN-4: who did what to whom, when, from where. No foreign keys, because an entry outlives what it names.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id uuid,
  actor_email text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  details jsonb not null default '{}',
  ip text not null
);
create index audit_log_subject on audit_log (subject_type, subject_id, id desc);

-- MAIL-1: a mail is written with what it reports, its text sealed so that no code or link is readable in the database.
create table mail_outbox (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  sealed_body bytea,
  created_at timestamptz not null,
  -- After this the mail is not worth sending: its code or link has expired.
  expires_at timestamptz,
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  attempted_at timestamptz,
  sent_at timestamptz,
  last_error text,
  failure_kind text check (failure_kind in ('server', 'mail', 'stalled')),
  -- When it was given up.
  failed_at timestamptz
);
create index mail_outbox_due on mail_outbox (next_attempt_at) where next_attempt_at is not null;
create index mail_outbox_done on mail_outbox (created_at) where next_attempt_at is null;
create index mail_outbox_failed on mail_outbox (failed_at desc, id desc) where failed_at is not null;
create index mail_outbox_mailbox on mail_outbox (recipient, id desc);
