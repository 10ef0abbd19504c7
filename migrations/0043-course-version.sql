-- VIDEO-1: a value that changes with every commit that changes a list of the course. Whoever keeps a list of one version compares the version,
-- which says so without a notification that may be late or lost. It is never used twice, as a counter would be after a restore of older rows.
create table course_version (
  id integer primary key default 1 check (id = 1),
  version uuid not null default gen_random_uuid()
);
insert into course_version default values;

create function advance_course_version() returns trigger language plpgsql as $$
begin
  -- Once in a transaction, however many rows it changes.
  update course_version set version = gen_random_uuid() where xmin <> pg_current_xact_id()::xid;
  return null;
end $$;

-- At the commit: until then nobody sees the change, and whoever waits for the row holds nothing that another waits for.
create constraint trigger videos_version after insert or update or delete on videos
  deferrable initially deferred for each row execute function advance_course_version();
create constraint trigger module_order_version after insert or update or delete on module_order
  deferrable initially deferred for each row execute function advance_course_version();
create constraint trigger video_captions_version after insert or update or delete on video_captions
  deferrable initially deferred for each row execute function advance_course_version();
create constraint trigger video_attachments_version after insert or update or delete on video_attachments
  deferrable initially deferred for each row execute function advance_course_version();
create constraint trigger films_version after insert or update or delete on films
  deferrable initially deferred for each row execute function advance_course_version();
-- What the list has of a stored object is its name, size and type.
create constraint trigger stored_objects_version after update on stored_objects
  deferrable initially deferred for each row
  when ((new.filename, new.size, new.content_type) is distinct from (old.filename, old.size, old.content_type))
  execute function advance_course_version();

-- A constraint trigger cannot be of this kind.
create trigger videos_version_truncate after truncate on videos
  for each statement execute function advance_course_version();
create trigger module_order_version_truncate after truncate on module_order
  for each statement execute function advance_course_version();
create trigger video_captions_version_truncate after truncate on video_captions
  for each statement execute function advance_course_version();
create trigger video_attachments_version_truncate after truncate on video_attachments
  for each statement execute function advance_course_version();
create trigger films_version_truncate after truncate on films
  for each statement execute function advance_course_version();
