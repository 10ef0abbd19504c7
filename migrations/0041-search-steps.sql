-- USER-1, AUDIT-4: students and the audit log are searched as payment requests are (docs/decisions/041-searches-have-an-index-of-their-own.md).

-- The same keys as before in less than half of the time: from each of the first three characters on, a line for every three.
create or replace function search_keys(form text, tags text[] default '{}', prefix text default '') returns text[]
  language plpgsql immutable strict parallel restricted cost 10000 as $$
declare
  line_start text := E'\n' || prefix;
  lines text := '';
begin
  if cardinality(tags) > 0 then
    lines := line_start || array_to_string(tags, line_start);
  end if;
  for start in 1 .. 3 loop
    lines := lines || regexp_replace(
      substr(form, start, greatest(length(form) - start + 1, 0) / 3 * 3), '(...)', line_start || '\1', 'g'
    );
  end loop;
  return string_to_array(substr(lines, 2), E'\n');
end $$;

-- The two days of a time: of the students who come back, many were here lately.
create function sign_in_step(at timestamptz) returns integer language sql immutable strict parallel safe
  return floor(extract(epoch from at at time zone 'UTC') / 172800)::integer;

alter table profiles
  add column search_text text not null generated always as (search_form(email || ' ' || full_name)) stored,
  -- The two days of the last sign-in, 0 without one: a sign-in writes the search index anew when these have passed.
  add column sign_in_step integer not null default 0;

create or replace function set_profile_created_at() returns trigger language plpgsql as $$
begin
  select created_at, sign_in_step(coalesce(last_sign_in_at, 'epoch')) into new.created_at, new.sign_in_step
  from accounts where id = new.id;
  return new;
end $$;

create function set_sign_in_step() returns trigger language plpgsql as $$
begin
  update profiles set sign_in_step = sign_in_step(coalesce(new.last_sign_in_at, 'epoch')) where id = new.id;
  return null;
end $$;
create trigger accounts_sign_in_step after update of last_sign_in_at on accounts for each row
  when (sign_in_step(coalesce(new.last_sign_in_at, 'epoch')) <> sign_in_step(coalesce(old.last_sign_in_at, 'epoch')))
  execute function set_sign_in_step();

drop index profiles_search;
drop index audit_log_text;
-- Nobody's page has to hear of this.
alter table profiles disable trigger profiles_notify;
update profiles set sign_in_step = sign_in_step(last_sign_in_at) from accounts
where accounts.id = profiles.id and last_sign_in_at is not null;
alter table profiles enable trigger profiles_notify;

-- The keys of each order of the list: by the week of the sign-up, and by the step of the last sign-in.
create function profile_keys(search_text text, tier text, created_at timestamptz, sign_in_step integer) returns text[]
  language sql immutable parallel restricted cost 10000
  return search_keys(search_text, array['tier:' || tier], 'up:' || search_week(created_at) || ':')
    || search_keys(search_text, array['tier:' || tier], 'in:' || sign_in_step || ':');
-- From PostgreSQL 18 on, two processes more build an index of functions that are safe to run in parallel.
set local maintenance_work_mem = '256MB';
alter function search_keys parallel safe;
alter function profile_keys parallel safe;
create index profiles_search on profiles using gin (profile_keys(search_text, subscription_status, created_at, sign_in_step))
  with (gin_pending_list_limit = 256);
alter index profiles_search alter column 1 set statistics 0;

-- In blocks of ids, since that is the order of the log, and without quotes, so that the values of the details begin words. Without statistics no
-- maintenance runs these functions, which in the embedded database would be with the superuser's rights
-- (docs/decisions/039-the-audit-log-is-append-only.md).
create index audit_log_search on audit_log using gin (search_keys(
  search_form(actor_email || ' ' || action || ' ' || subject_type || ' ' || subject_id || ' ' || ip || ' ' || replace(details::text, '"', ' ')),
  array[
    lower('actor:' || actor_email), lower('action:' || action), lower('subject:' || subject_id),
    lower('actor:' || actor_email || ' action:' || action)
  ],
  (id / 16384)::text || ':'
)) with (gin_pending_list_limit = 256);
alter index audit_log_search alter column 1 set statistics 0;
alter function search_keys parallel restricted;
alter function profile_keys parallel restricted;
