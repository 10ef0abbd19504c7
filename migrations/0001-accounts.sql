-- ACCOUNT-3: an address has at most one verified account, and at most one unfinished sign-up beside it.
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
create index accounts_unfinished on accounts (created_at) where email_verified_at is null;

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
create index sessions_oldest on sessions (created_at);
create index sessions_ended on sessions (revoked_at) where revoked_at is not null;

-- SESSION-3: the tokens of one session are a family; a row is one rotation.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);

-- VERIFY-1 and VERIFY-2.
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
create index verification_codes_expired on verification_codes (expires_at);

create table password_recoveries (
  token_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz
);
create index password_recoveries_account on password_recoveries (account_id);
create index password_recoveries_expired on password_recoveries (expires_at);

-- The columns that rate-limiter-flexible expects.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expired on rate_limits (expire);
