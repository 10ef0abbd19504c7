-- AUDIT-1: entries are added and read, never changed or removed. The rights bind whoever runs the site; the trigger also a superuser.
-- In the embedded database the supervisor then takes the table from the site's role.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
revoke update, delete, truncate on audit_log from current_user;

create extension if not exists pg_trgm;
-- The newest entries by each filter, and by any text in them. Built-in functions only: an index is maintained with the rights
-- of the table's owner.
create index audit_log_actor on audit_log (actor_email, id desc);
create index audit_log_action on audit_log (action, id desc);
create index audit_log_subject_id on audit_log (subject_id, id desc);
create index audit_log_text on audit_log using gin ((
  actor_email || ' ' || action || ' ' || subject_type || ' ' || subject_id || ' ' || ip || ' ' || details::text
) gin_trgm_ops);

-- LIVE-1: a new entry reaches the open pages of the admin.
create trigger audit_log_notify after insert on audit_log for each row execute function notify_change('audit-log');
