-- Captions, attachments and posters of lessons (FILE-13, FILE-14, FILE-15): stored objects of buckets of their own. Browsers upload
-- attachments only; the others are made by the server.
alter table stored_objects
  drop constraint stored_objects_bucket_check,
  add constraint stored_objects_bucket_check check (bucket in
    ('payment-screenshots', 'course-videos', 'lesson-attachments', 'lesson-captions', 'lesson-posters'));
alter table unfinished_uploads
  drop constraint unfinished_uploads_bucket_check,
  add constraint unfinished_uploads_bucket_check check (bucket in ('payment-screenshots', 'course-videos', 'lesson-attachments'));

alter table videos add column poster_object_id uuid unique references stored_objects;

create table video_captions (
  video_id uuid not null references videos on delete cascade,
  language text not null check (language ~ '^[A-Za-z0-9]{2,8}(-[A-Za-z0-9]{1,8})*$' and length(language) <= 35),
  label text not null check (length(label) between 1 and 60),
  object_id uuid not null unique references stored_objects,
  primary key (video_id, language)
);

create table video_attachments (
  id uuid primary key default gen_random_uuid(),
  video_id uuid not null references videos on delete cascade,
  object_id uuid not null unique references stored_objects,
  created_at timestamptz not null
);
create index video_attachments_video on video_attachments (video_id, created_at);

-- Both are part of the list of videos (LIVE-1).
create function notify_material() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"videos"}');
  return null;
end $$;
create trigger video_captions_notify after insert or update or delete on video_captions
  for each row execute function notify_material();
create trigger video_attachments_notify after insert or update or delete on video_attachments
  for each row execute function notify_material();
