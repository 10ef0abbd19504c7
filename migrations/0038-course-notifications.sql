-- VIDEOS-3: one notification for each statement, so that open pages read the list once when a hundred videos change together. A change of one
-- video carries its id, as before.
create function notify_videos() returns trigger language plpgsql as $$
declare
  videos_changed bigint;
  changed_id text;
begin
  select count(*), min(id::text) into videos_changed, changed_id from changed;
  if videos_changed > 0 then
    perform pg_notify('changes', json_build_object(
      'topic', 'videos',
      'id', case when videos_changed = 1 then changed_id end,
      'user_id', null
    )::text);
  end if;
  return null;
end $$;

drop trigger videos_notify on videos;
create trigger videos_notify_insert after insert on videos
  referencing new table as changed for each statement execute function notify_videos();
create trigger videos_notify_update after update on videos
  referencing new table as changed for each statement execute function notify_videos();
create trigger videos_notify_delete after delete on videos
  referencing old table as changed for each statement execute function notify_videos();
