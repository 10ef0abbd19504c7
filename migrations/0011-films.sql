-- FILE-12: the object that replaces a film whose index stood at its end. The old one serves links in flight until it is swept.
alter table stored_objects
  add column replaced_by uuid unique references stored_objects on delete cascade,
  add column replaced_at timestamptz,
  add constraint stored_objects_replaced check ((replaced_by is null) = (replaced_at is null));

-- What is known of each uploaded film (VIDEO-6). A film without a row has not been looked at.
create table films (
  object_id uuid primary key references stored_objects on delete cascade,
  -- Null until the film has been read.
  playability text check (playability in
    ('plays', 'starts_late', 'video_codec', 'audio_codec', 'no_video', 'container', 'encrypted', 'damaged')),
  duration_seconds double precision check (duration_seconds > 0),
  width integer check (width > 0),
  height integer check (height > 0),
  codecs text[] not null default '{}',
  -- Of the bytes, where they were rewritten here.
  sha256 bytea check (length(sha256) = 32),
  -- Counted when a process takes the film; a process whose number is no longer the row's has lost it.
  attempts integer not null default 0,
  -- The end of the lease while a process has the film; null when nothing is left to do.
  next_attempt_at timestamptz,
  -- The bytes that an attempt writes, to be removed by the next one.
  rewriting_id uuid,
  constraint films_read_or_due check (playability is not null or next_attempt_at is not null)
);
create index films_due on films (next_attempt_at) where next_attempt_at is not null;

-- Wakes the job of whichever process listens.
create function notify_film() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"film"}');
  return null;
end $$;
create trigger stored_objects_notify after insert on stored_objects
  for each row when (new.bucket = 'course-videos' and new.replaced_by is null) execute function notify_film();

-- What is known of a film is part of the list of videos.
create function notify_film_read() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"videos"}');
  return null;
end $$;
create trigger films_notify after update on films
  for each row when (new.playability is distinct from old.playability
    or (new.next_attempt_at is null) <> (old.next_attempt_at is null)) execute function notify_film_read();
