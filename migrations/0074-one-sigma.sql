-- LIST-2: the Greek sigma has two small letters, one at the end of a word and one elsewhere, and a capital of both. A search takes the three as one,
-- as src/domain/search.ts does with its words. Only UTF8 is sure to have them: by their numbers, since other encodings could not read this file.
-- First, and in the order in which requests are submitted and decided: rows that traffic has locked would deadlock with the updates below.
lock table profiles, payment_requests in exclusive mode;

do $$ begin
  if current_setting('server_encoding') = 'UTF8' then
    create or replace function search_form(value text) returns text language sql immutable strict parallel safe
      return regexp_replace(' ' || translate(lower(value), chr(931) || chr(962), chr(963) || chr(963)), '\s+', '  ', 'g');
  end if;
end $$;

-- Nobody's page has to hear of this, and what others write meanwhile waits.
alter table payment_requests disable trigger payment_requests_notify;
alter table profiles disable trigger profiles_notify;
do $$ begin
  if current_setting('server_encoding') = 'UTF8' then
    update payment_requests set search_text = '' where search_text ~ '[\u03A3\u03C2]';
    update profiles set full_name = full_name where search_text ~ '[\u03A3\u03C2]';
  end if;
end $$;
alter table payment_requests enable trigger payment_requests_notify;
alter table profiles enable trigger profiles_notify;

-- Changes nothing: it makes those wait who add entries, which `lock` may not, since the owner of the log has no right to change it.
alter table audit_log enable trigger audit_log_notify;
-- Nor does this: sessions that are open have the former function in what they know of the index, and read that anew.
alter index audit_log_search alter column 1 set statistics 0;
-- The log's index is built again only where an entry has other keys, as in 0055. It takes minutes for a million entries.
set local maintenance_work_mem = '256MB';
alter function search_keys parallel safe;
do $$ begin
  if current_setting('server_encoding') <> 'UTF8' or not exists (select from audit_log where lower(audit_log::text) ~ '[\u03A3\u03C2]') then
    return;
  end if;
  drop index audit_log_search;
  create index audit_log_search on audit_log using gin (search_keys(
    search_form(actor_email || ' ' || action || ' ' || subject_type || ' ' || subject_id || ' ' || ip || ' '
      || regexp_replace(details::text, '\\["\\bfnrt]|"', ' ', 'g')),
    array[
      lower('actor:' || actor_email), lower('action:' || action), lower('subject:' || subject_id),
      lower('actor:' || actor_email || ' action:' || action)
    ],
    (id / 16384)::text || ':'
  )) with (gin_pending_list_limit = 256);
  alter index audit_log_search alter column 1 set statistics 0;
end $$;
alter function search_keys parallel restricted;
