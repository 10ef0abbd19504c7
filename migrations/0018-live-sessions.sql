-- LIVESESSION-1: what the admin plans, in the local time of its zone.
create table live_sessions (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 200),
  description text not null,
  join_url text not null check (join_url like 'https://%'),
  -- The first day, or the only one.
  date date not null,
  time text not null check (time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  time_zone text not null check (time_zone <> ''),
  duration_minutes integer not null check (duration_minutes between 5 and 720),
  weekly boolean not null,
  ends_on date,
  -- The last day up to which occurrences have been planned; a job plans a weekly session on.
  planned_until date not null,
  -- SEQUENCE of RFC 5545: counts the changes.
  sequence integer not null default 0 check (sequence >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint live_sessions_end check (ends_on is null or (weekly and ends_on >= date))
);
create index live_sessions_newest on live_sessions (created_at desc, id desc);

-- LIVESESSION-2: each time a session takes place. What has begun stays as it was, whatever the plan becomes.
create table live_occurrences (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references live_sessions on delete cascade,
  -- Its day in the plan, also when it was moved to another.
  date date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  moved boolean not null default false,
  cancelled boolean not null default false,
  video_id uuid references videos on delete set null,
  sequence integer not null default 0 check (sequence >= 0),
  updated_at timestamptz not null,
  unique (session_id, date)
);
create index live_occurrences_in_order on live_occurrences (starts_at, id);
create index live_occurrences_ends on live_occurrences (ends_at);
create index live_occurrences_video on live_occurrences (video_id) where video_id is not null;

-- Who was reminded of which start; the key keeps it at one mail, however many processes look.
create table live_reminders (
  occurrence_id uuid not null references live_occurrences on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  starts_at timestamptz not null,
  primary key (occurrence_id, account_id)
);
create index live_reminders_account on live_reminders (account_id);
create index live_reminders_start on live_reminders (starts_at);

-- LIVESESSION-5: how often a student had a new link to the calendar; nobody's first link has a row.
create table calendar_links (
  account_id uuid primary key references accounts on delete cascade,
  version integer not null check (version >= 1),
  renewed_at timestamptz not null
);

-- LIVE-1. Once for a statement: planning a session writes half a year of rows.
create function notify_live_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"live-sessions"}');
  return null;
end $$;
create trigger live_sessions_notify after insert or update or delete on live_sessions
  for each statement execute function notify_live_sessions();
create trigger live_occurrences_notify after insert or update or delete on live_occurrences
  for each statement execute function notify_live_sessions();
