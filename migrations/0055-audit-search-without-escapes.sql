-- AUDIT-4: values with a quote, a backslash or a line break are found, which JSON writes with a backslash. The index is built as in 0041.
drop index audit_log_search;
set local maintenance_work_mem = '256MB';
alter function search_keys parallel safe;
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
alter function search_keys parallel restricted;
