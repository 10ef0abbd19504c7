-- FACTOR-1: a second factor by TOTP. Its secret is sealed with a key of secrets.json.
create table mfa_factors (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  friendly_name text not null check (length(friendly_name) <= 100),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null until a first code proves that the authenticator has the secret.
  verified_at timestamptz,
  last_challenged_at timestamptz,
  -- FACTOR-3: the newest time step of which a code was accepted.
  last_used_step bigint,
  -- FACTOR-3: where it was passed, the newest first.
  passed_networks text[] not null default '{}'
);
create unique index mfa_factors_one_verified on mfa_factors (account_id) where verified_at is not null;
create unique index mfa_factors_one_unverified on mfa_factors (account_id) where verified_at is null;
create index mfa_factors_unfinished on mfa_factors (created_at) where verified_at is null;

create table mfa_recovery_codes (
  factor_id uuid not null references mfa_factors on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (factor_id, code_hash)
);

-- A challenge belongs to the session that asked for it.
create table mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references mfa_factors on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null,
  tries integer not null default 0 check (tries between 0 and 5)
);
create index mfa_challenges_factor on mfa_challenges (factor_id);
create index mfa_challenges_session on mfa_challenges (session_id);
create index mfa_challenges_oldest on mfa_challenges (created_at);

-- Sessions that began before have no values here: they were last seen and proven when they began.
alter table sessions
  add column network text not null default '',
  add column user_agent text not null default '' check (length(user_agent) <= 300),
  add column last_seen_at timestamptz,
  add column second_factor_at timestamptz,
  add column second_factor_by text check (second_factor_by in ('totp', 'recovery_code')),
  -- STEPUP-1: when the password or a code was last given, at sign-in or later.
  add column proven_at timestamptz,
  add column stepped_up_at timestamptz,
  add constraint sessions_second_factor check ((second_factor_at is null) = (second_factor_by is null));
