-- DEVICE-1: the sessions that play films. Unlogged: after a crash everybody begins anew, and a sign of playing costs no sync.
create unlogged table playing_sessions (
  session_id uuid primary key references sessions on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  -- The last sign of playing, written at most every half minute.
  played_at timestamptz not null,
  -- Since when newer devices of the account play instead; null while this one may.
  displaced_at timestamptz
);
create index playing_sessions_account on playing_sessions (account_id);

-- The displaced page learns it at once.
create function notify_displaced() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', json_build_object('topic', 'playback', 'id', new.session_id, 'user_id', new.account_id)::text);
  return null;
end $$;
create trigger playing_sessions_notify after update on playing_sessions
  for each row when (new.displaced_at is not null and old.displaced_at is null) execute function notify_displaced();

-- DEVICE-5: from which networks and on which devices a student played on a day, as keyed hashes.
create table playing_days (
  account_id uuid not null references accounts on delete cascade,
  day date not null,
  network_hash bytea not null,
  device_hash bytea not null,
  -- How many other devices lost their place to this one.
  displaced integer not null default 0,
  primary key (account_id, day, network_hash, device_hash)
);
create index playing_days_oldest on playing_days (day);
