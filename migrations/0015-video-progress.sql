-- Where each student is in each lesson (WATCH-1). A row begins when a lesson is first played.
create table video_progress (
  account_id uuid not null references accounts on delete cascade,
  video_id uuid not null references videos on delete cascade,
  position_seconds double precision not null check (position_seconds between 0 and 86400),
  furthest_seconds double precision not null,
  -- 0 while it is not known, as of a film at an outside address.
  duration_seconds double precision not null check (duration_seconds between 0 and 86400),
  done boolean not null,
  done_at timestamptz,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, video_id),
  constraint video_progress_furthest check (furthest_seconds between position_seconds and 86400),
  constraint video_progress_done check (done = (done_at is not null))
);
create index video_progress_video on video_progress (video_id);

-- LIVE-3: the student's other tabs hear of lessons that were begun or done, not of every position.
create function notify_progress() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', json_build_object('topic', 'progress', 'id', new.video_id, 'user_id', new.account_id)::text);
  return null;
end $$;
create trigger video_progress_begun after insert on video_progress
  for each row execute function notify_progress();
create trigger video_progress_done_notify after update on video_progress
  for each row when (new.done <> old.done) execute function notify_progress();
