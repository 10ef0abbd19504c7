-- An address belongs to whoever proves it: one verified account an address, and at most one unfinished sign-up beside it.
create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  password_hash text not null,
  role text not null default 'student' check (role in ('student', 'admin')),
  email_verified_at timestamptz,
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  unique (id, email)
);
create unique index accounts_verified_email on accounts (email) where email_verified_at is not null;
create unique index accounts_unverified_email on accounts (email) where email_verified_at is null;
create unique index accounts_one_admin on accounts (role) where role = 'admin';
create index accounts_newest on accounts (created_at desc, id desc);

create table profiles (
  id uuid primary key,
  email text not null,
  full_name text not null check (length(full_name) between 1 and 100),
  subscription_status text not null default 'unpaid' check (subscription_status in ('unpaid', 'starter', 'advanced')),
  foreign key (id, email) references accounts (id, email) on delete cascade
);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  revoked_at timestamptz,
  by_recovery boolean not null default false
);
create index sessions_account on sessions (account_id);

-- A family of refresh tokens is its session; a row is one rotation.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);

create table verification_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references accounts on delete cascade,
  email text not null,
  code_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  tries integer not null default 0 check (tries between 0 and 5),
  superseded boolean not null default false,
  verified boolean not null default false
);
create unique index verification_codes_one_live on verification_codes (user_id) where not verified and not superseded;
create index verification_codes_user on verification_codes (user_id, created_at desc);

create table password_recoveries (
  token_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz
);
create index password_recoveries_account on password_recoveries (account_id);

-- Who did what to whom, when, from where; no foreign keys, since it outlives what it tells of.
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

-- A mail is written with what it reports, and its text sealed, so that no code or link stands readable in the database.
create table mail_outbox (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  sealed_body bytea,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  sent_at timestamptz,
  last_error text
);
create index mail_outbox_due on mail_outbox (next_attempt_at) where next_attempt_at is not null;
create index mail_outbox_mailbox on mail_outbox (recipient, id desc);

-- The shape that rate-limiter-flexible expects.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
